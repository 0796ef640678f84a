package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Condition;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Consumer;

/** Reads conditions: Nodeward's own in full, of the others no more than type and status. */
final class ConditionReader {
    private ConditionReader() {}

    /**
     * Nodeward's own, if this field of a status has any: Cluster API's v1beta1 keeps the conditions of v1beta2 one field
     * below. Any other field is skipped.
     */
    static void own(String statusField, JsonParser p, Consumer<Condition> conditions) throws IOException {
        switch (statusField) {
            case "conditions" -> each(p, condition -> {
                if (isOwn(condition)) {
                    conditions.accept(condition);
                }
            });
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

    static boolean isOwn(Condition condition) {
        return condition.type().startsWith(Condition.PREFIX);
    }

    static void each(JsonParser p, Consumer<Condition> conditions) throws IOException {
        Json.elements(p, element -> conditions.accept(condition(element)));
    }

    private static Condition condition(JsonParser p) throws IOException {
        String[] texts = {"", "", "", "", ""};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "type" -> texts[0] = MetadataReader.POOL.text(value);
                case "status" -> texts[1] = MetadataReader.POOL.text(value);
                // Custom resources come with the type last, and what others say is said by many.
                case "reason" -> texts[2] = MetadataReader.POOL.text(value);
                case "message" -> texts[3] = MetadataReader.POOL.text(value);
                case "lastTransitionTime" -> texts[4] = MetadataReader.POOL.text(value);
                default -> value.skipChildren();
            }
        });
        return texts[0].startsWith(Condition.PREFIX)
                ? new Condition(texts[0], texts[1], texts[2], texts[3], time(texts[4]))
                : new Condition(texts[0], texts[1], "", "", Instant.EPOCH);
    }

    private static Instant time(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH; // a malformed part of one object must not end the stream it came in
        }
    }
}
