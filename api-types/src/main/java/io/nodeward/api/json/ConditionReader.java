package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Condition;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads the conditions of Nodeward on objects of other kinds. */
final class ConditionReader {
    private ConditionReader() {}

    /**
     * Nodeward's own, if this field of a status has any: Cluster API's v1beta1 keeps the conditions of v1beta2 one field
     * below. Any other field is skipped.
     */
    static void own(String statusField, JsonParser p, Consumer<Condition> conditions) throws IOException {
        switch (statusField) {
            case "conditions" -> Json.elements(p, element -> condition(element).ifPresent(conditions));
            case "v1beta2" -> Json.fields(p, (field, value) -> {
                if (field.equals("conditions")) {
                    own(field, value, conditions);
                } else {
                    value.skipChildren();
                }
            });
            default -> p.skipChildren();
        }
    }

    private static Optional<Condition> condition(JsonParser p) throws IOException {
        String[] texts = {"", "", "", "", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "type" -> texts[0] = MetadataReader.POOL.text(value);
                case "status" -> texts[1] = MetadataReader.POOL.text(value);
                // Custom resources come with the type last, and conditions of others are many.
                case "reason" -> texts[2] = MetadataReader.POOL.text(value);
                case "message" -> texts[3] = MetadataReader.POOL.text(value);
                case "lastTransitionTime" -> texts[4] = MetadataReader.POOL.text(value);
                default -> value.skipChildren();
            }
        });
        return texts[0].startsWith(Condition.PREFIX)
                ? Optional.of(new Condition(texts[0], texts[1], texts[2], texts[3], time(texts[4])))
                : Optional.empty();
    }

    static Instant time(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH; // a malformed part of one object must not end the stream it came in
        }
    }
}
