package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Whole objects, for the few that are looked at as they are. */
public final class Trees {
    private Trees() {}

    /** @throws IOException if the bytes are not a JSON object */
    public static Tree read(byte[] object) throws IOException {
        try (JsonParser p = Json.parser(object)) {
            if (p.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("not a JSON object");
            }
            return new TreeReader(Integer.MAX_VALUE).read(p, Shape.WHOLE);
        }
    }

    /**
     * What {@link #text} has written.
     *
     * @throws IllegalArgumentException if it is anything but a JSON object
     */
    public static Tree read(String text) {
        try {
            return read(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new IllegalArgumentException("not a JSON object", e);
        }
    }

    /** In JSON, and the same text for the same value: fields are in the order of their names. */
    public static String text(Tree tree) {
        return new String(written(sorted(tree)), StandardCharsets.UTF_8);
    }

    private static Tree sorted(Tree tree) {
        return switch (tree) {
            case Tree.Fields(Map<String, Tree> fields) -> {
                Map<String, Tree> sorted = new TreeMap<>();
                fields.forEach((field, value) -> sorted.put(field, sorted(value)));
                yield new Tree.Fields(sorted);
            }
            case Tree.Items(List<Tree> items) -> new Tree.Items(items.stream().map(Trees::sorted).toList());
            default -> tree;
        };
    }

    /** In JSON. */
    public static byte[] written(Tree tree) {
        return written(tree, JsonGenerator::writeString);
    }

    /** In JSON that is read as YAML, as the body of an apply is. */
    public static byte[] writtenForApply(Tree tree) {
        return written(tree, Trees::writeYaml);
    }

    /** How texts are written. */
    @FunctionalInterface
    private interface TextWriter {
        void write(JsonGenerator json, String text) throws IOException;
    }

    private static byte[] written(Tree tree, TextWriter texts) {
        return Bodies.written(json -> write(json, tree, texts));
    }

    /** A value of a body that is read as YAML. */
    static void writeForApply(JsonGenerator json, Tree tree) throws IOException {
        write(json, tree, Trees::writeYaml);
    }

    private static void writeYaml(JsonGenerator json, String text) throws IOException {
        json.writeRawValue(YamlText.quoted(text));
    }

    private static void write(JsonGenerator json, Tree tree, TextWriter texts) throws IOException {
        switch (tree) {
            case Tree.Fields(Map<String, Tree> fields) -> {
                json.writeStartObject();
                for (Map.Entry<String, Tree> field : fields.entrySet()) {
                    json.writeFieldName(field.getKey());
                    write(json, field.getValue(), texts);
                }
                json.writeEndObject();
            }
            case Tree.Items(List<Tree> items) -> {
                json.writeStartArray();
                for (Tree item : items) {
                    write(json, item, texts);
                }
                json.writeEndArray();
            }
            case Tree.Text(String text) -> texts.write(json, text);
            case Tree.Other(String word, String text) -> json.writeRawValue(text);
            case Tree.Absent absent -> json.writeNull();
        }
    }
}
