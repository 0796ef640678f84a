package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/**
 * One reason why an object is refused with 422 Invalid.
 *
 * @param reason {@code FieldValueInvalid}, {@code FieldValueRequired} and so on
 * @param message as an API server words it, for example {@code Required value}
 * @param field path of the field, for example {@code spec.taints[0].key}
 */
public record Violation(String reason, String message, String field) {
    public static Violation invalid(String field, String value, String why) {
        return new Violation("FieldValueInvalid", "Invalid value: " + quoted(value) + ": " + why, field);
    }

    public static Violation required(String field) {
        return new Violation("FieldValueRequired", "Required value", field);
    }

    public static Violation forbidden(String field, String why) {
        return new Violation("FieldValueForbidden", "Forbidden: " + why, field);
    }

    /**
     * A value of another type than the schema says.
     *
     * @param inBody the path as the schema's message has it: within the status if that alone is written
     */
    static Violation type(String field, String inBody, JsonNode value, String type) {
        String found = value.isInt() ? "integer" : value.getNodeType().name().toLowerCase(Locale.ROOT);
        return new Violation("FieldValueTypeInvalid", "Invalid value: \"" + found + "\": " + inBody
                + " in body must be of type " + type + ": \"" + found + "\"", field);
    }

    /** A value outside a list of known ones. */
    public static Violation unsupported(String field, String value, String... known) {
        return new Violation(
                "FieldValueNotSupported",
                "Unsupported value: " + quoted(value) + ": supported values: \"" + String.join("\", \"", known) + "\"",
                field);
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
