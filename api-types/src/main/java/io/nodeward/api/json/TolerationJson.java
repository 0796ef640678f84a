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
final class TolerationJson {
    private TolerationJson() {}

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
