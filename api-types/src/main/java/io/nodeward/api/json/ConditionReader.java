package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import io.nodeward.api.meta.Condition;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.function.Consumer;

/** Reads conditions: on others' kinds Nodeward's own in full, and of the rest no more than type and status. */
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
        Json.elements(p, element -> conditions.accept(condition(element, false)));
    }

    /** On a kind of our own: in full, with the generation that it is about. */
    static Condition whole(JsonParser p) throws IOException {
        return condition(p, true);
    }

    private static Condition condition(JsonParser p, boolean whole) throws IOException {
        String[] texts = {"", "", "", "", ""};
        long[] generation = {0};
        Json.fields(p, (field, value) -> {
            switch (field) {
                case "type" -> texts[0] = MetadataReader.POOL.text(value);
                case "status" -> texts[1] = MetadataReader.POOL.text(value);
                // Custom resources come with the type last, and conditions of others are many.
                case "reason" -> texts[2] = MetadataReader.POOL.text(value);
                case "message" -> texts[3] = MetadataReader.POOL.text(value);
                case "lastTransitionTime" -> texts[4] = MetadataReader.POOL.text(value);
                case "observedGeneration" -> generation[0] = Json.integer(value);
                default -> value.skipChildren();
            }
        });
        return whole || texts[0].startsWith(Condition.PREFIX)
                ? new Condition(texts[0], texts[1], texts[2], texts[3], time(texts[4]),
                        whole ? generation[0] : 0)
                : new Condition(texts[0], texts[1], "", "", Instant.EPOCH);
    }

    static Instant time(String text) {
        try {
            return text.isEmpty() ? Instant.EPOCH : Instant.parse(text);
        } catch (DateTimeException e) {
            return Instant.EPOCH; // a malformed part of one object must not end the stream it came in
        }
    }
}
