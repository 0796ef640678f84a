package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.TextMap;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** Reading with a streaming parser; the parser stands on the first token of a value and is left on its last. */
final class Json {
    private static final int DEEPEST = 100_000;
    /** Characters of a name, a text or a number: as many bytes as API servers take of a whole object. */
    private static final int LONGEST = 3 << 20;
    /** More than fit in an object that etcd stores. */
    private static final int MOST_TEXTS = 250_000;
    static final int MOST_ELEMENTS = KubernetesObject.MOST_ELEMENTS;

    /**
     * Bytes after which the names of fields are forgotten. A factory and its parsers keep each name for the next objects,
     * also of fields that are skipped. A server whose names are long and never the same would fill the memory, and a parser copies
     * all its long names for each few more.
     */
    static final int REMEMBERED = 1 << 20;

    /** For what is written. */
    static final JsonFactory FACTORY = factory();

    /** Whose parsers keep no name: they make a String of each, as often as it comes. */
    static final JsonFactory FORGETFUL = builder().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

    private static final AtomicLong READ = new AtomicLong();
    private static final AtomicReference<JsonFactory> KNOWN = new AtomicReference<>(factory());

    private Json() {}

    /** Of which nobody else knows the names. */
    static JsonFactory factory() {
        return builder().build();
    }

    /**
     * Takes whatever an API server stores: an object of 1.5 MB may nest deeper, and hold longer names and numbers, than
     * Jackson allows by default, and one such object must not end the watch of its whole kind. Parts nobody reads are
     * skipped without recursion.
     */
    private static JsonFactoryBuilder builder() {
        return new JsonFactoryBuilder()
                .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES) // which keeps the last 280, however long
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEEPEST)
                        .maxNameLength(LONGEST)
                        .maxStringLength(LONGEST)
                        .maxNumberLength(LONGEST)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build());
    }

    /** Of one text. */
    static JsonParser parser(byte[] text) throws IOException {
        return known(text.length).createParser(text);
    }

    /** As above. */
    static JsonParser parser(String text) throws IOException {
        return known(text.length()).createParser(text);
    }

    private static JsonFactory known(int length) {
        if (READ.addAndGet(length) > REMEMBERED) {
            READ.set(0);
            KNOWN.set(factory());
        }
        return Objects.requireNonNull(KNOWN.get());
    }

    /** Called for each field of an object, with the parser on the first token of the value; leaves it on the last. */
    @FunctionalInterface
    interface FieldReader {
        void read(String field, JsonParser value) throws IOException;
    }

    /** Called for each element of an array. */
    @FunctionalInterface
    interface ElementReader {
        void read(JsonParser element) throws IOException;
    }

    /** Skips every field. */
    static final FieldReader NONE = (field, value) -> value.skipChildren();

    /** Anything but an object is skipped: a malformed part of one object must not end the stream it came in. */
    static void fields(JsonParser p, FieldReader reader) throws IOException {
        if (!p.hasToken(JsonToken.START_OBJECT)) {
            p.skipChildren();
            return;
        }
        for (String field = p.nextFieldName(); field != null; field = p.nextFieldName()) {
            p.nextToken();
            reader.read(field, p);
        }
    }

    /**
     * Anything but an array is skipped.
     *
     * @throws IOException also if there are more elements than an object can have
     */
    static void elements(JsonParser p, ElementReader reader) throws IOException {
        int[] count = {0};
        endless(p, element -> {
            require(++count[0] <= MOST_ELEMENTS, "an object has too many elements");
            reader.read(element);
        });
    }

    /**
     * As {@link #elements}, of what anybody may create: too many must not end the stream. One more than
     * those is read, so that {@link KubernetesObject#truncatedFields} names the field, and the rest is skipped.
     */
    static void firstElements(JsonParser p, ElementReader reader) throws IOException {
        int[] count = {0};
        endless(p, element -> {
            if (count[0]++ <= MOST_ELEMENTS) {
                reader.read(element);
            } else {
                element.skipChildren();
            }
        });
    }

    /** As {@link #elements}, for an array that is no part of one object. */
    static void endless(JsonParser p, ElementReader reader) throws IOException {
        if (!p.hasToken(JsonToken.START_ARRAY)) {
            p.skipChildren();
            return;
        }
        while (p.nextToken() != JsonToken.END_ARRAY) {
            reader.read(p);
        }
    }

    private static void require(boolean good, String defect) throws IOException {
        if (!good) {
            throw new IOException(defect);
        }
    }

    /** A scalar's text; empty for null, an object or an array. */
    static String text(JsonParser p) throws IOException {
        if (p.currentToken().isStructStart()) {
            p.skipChildren();
            return "";
        }
        return p.hasToken(JsonToken.VALUE_NULL) ? "" : p.getText();
    }

    /** Reads one field of an object, and skips the others. */
    static void field(JsonParser p, String name, ElementReader reader) throws IOException {
        fields(p, (field, value) -> {
            if (field.equals(name)) {
                reader.read(value);
            } else {
                value.skipChildren();
            }
        });
    }

    /** Reads the texts of these fields, each empty if it is not there; equal ones are the same String. */
    static String[] pooled(JsonParser p, FieldReader others, String... names) throws IOException {
        String[] texts = new String[names.length];
        Arrays.fill(texts, "");
        List<String> known = Arrays.asList(names);
        fields(p, (field, value) -> {
            int place = known.indexOf(field);
            if (place >= 0) {
                texts[place] = MetadataReader.POOL.text(value);
            } else {
                others.read(field, value);
            }
        });
        return texts;
    }

    /** Returns the start of 1970 for a malformed time: a part of one object must not end the stream it came in. */
    static Instant time(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
    }

    static boolean isTrue(JsonParser p) throws IOException {
        boolean value = p.hasToken(JsonToken.VALUE_TRUE);
        p.skipChildren();
        return value;
    }

    /** Reads the texts that {@code keys} names, and of these the first; a value that is too long to be shared is empty. */
    static Map<String, String> firstTexts(JsonParser p, InternPool pool, Shape keys, int most) throws IOException {
        TextMap.Builder texts = new TextMap.Builder();
        fields(p, (key, value) -> {
            if (texts.size() < most && keys.at(key).isPresent()) {
                String text = pool.text(value);
                texts.put(pool.intern(key), text.length() <= InternPool.LONGEST ? text : "");
            } else {
                value.skipChildren();
            }
        });
        return texts.build();
    }

    static Map<String, String> texts(JsonParser p, InternPool pool) throws IOException {
        TextMap.Builder texts = new TextMap.Builder();
        fields(p, (key, value) -> {
            texts.put(pool.intern(key), pool.text(value));
            require(texts.size() <= MOST_TEXTS, "an object has too many labels or annotations");
        });
        return texts.build();
    }
}
