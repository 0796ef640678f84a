package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.pod.Toleration;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/** Reads lists of tolerations. */
public final class TolerationJson {
    private TolerationJson() {}

    /**
     * Reads a list that is a text of its own, as in annotations of Namespaces.
     *
     * @throws IOException if the text is no JSON list
     */
    public static List<Toleration> read(String json) throws IOException {
        try (JsonParser p = Json.parser(json)) {
            if (p.nextToken() != JsonToken.START_ARRAY) {
                throw new IOException("not a JSON list");
            }
            List<Toleration> tolerations = list(p);
            if (p.nextToken() != null) {
                throw new IOException("text after a JSON list");
            }
            return tolerations;
        }
    }

    /** Reads each once: a second toleration that is equal changes nothing. */
    static List<Toleration> list(JsonParser p) throws IOException {
        Set<Toleration> tolerations = new LinkedHashSet<>(4);
        Json.endless(p, element -> {
            if (tolerations.size() <= KubernetesObject.MOST_ELEMENTS) {
                tolerations.add(toleration(element));
            } else {
                element.skipChildren();
            }
        });
        return List.copyOf(tolerations);
    }

    private static Toleration toleration(JsonParser p) throws IOException {
        OptionalLong[] seconds = {OptionalLong.empty()};
        String[] texts = Json.pooled(p, (field, value) -> {
            OptionalLong number = seconds(value);
            seconds[0] = field.equals("tolerationSeconds") ? number : seconds[0];
        }, "key", "operator", "value", "effect");
        return new Toleration(texts[0], texts[1], texts[2], texts[3], seconds[0]);
    }

    /** Anything but a number of 64 bits is skipped: no server stores it. */
    private static OptionalLong seconds(JsonParser p) throws IOException {
        if (p.hasToken(JsonToken.VALUE_NUMBER_INT) && p.getNumberType() != NumberType.BIG_INTEGER) {
            return OptionalLong.of(p.getLongValue());
        }
        p.skipChildren();
        return OptionalLong.empty();
    }
}
