package io.nodeward.core.rules.validation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One fault that the API server finds in an object, as it reports it among the causes of its refusal.
 *
 * @param field path as the API server names it, for example {@code spec.tolerations[0].operator}
 * @param value what was found there, as it is printed; empty if it is not
 * @param detail empty if there is nothing more to say
 */
public record FieldFault(String field, Type type, String value, String detail) {
    /** The class of a fault; {@link #reason()} is the reason of its cause in a {@code Status}. */
    public enum Type {
        REQUIRED("FieldValueRequired", "Required value"),
        DUPLICATE("FieldValueDuplicate", "Duplicate value"),
        INVALID("FieldValueInvalid", "Invalid value"),
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value");

        private final String reason;
        private final String words;

        Type(String reason, String words) {
            this.reason = reason;
            this.words = words;
        }

        public String reason() {
            return reason;
        }
    }

    public static FieldFault required(String field) {
        return new FieldFault(field, Type.REQUIRED, "", "");
    }

    public static FieldFault invalid(String field, String value, String detail) {
        return new FieldFault(field, Type.INVALID, Quoted.of(value), detail);
    }

    public static FieldFault notSupported(String field, String value, List<String> supported) {
        return new FieldFault(field, Type.NOT_SUPPORTED, Quoted.of(value),
                supported.stream().map(Quoted::of).collect(Collectors.joining(", ", "supported values: ", "")));
    }

    /** One line, as the API server writes it. */
    public String text() {
        return field + ": " + type.words + part(value) + part(detail);
    }

    private static String part(String text) {
        return text.isEmpty() ? "" : ": " + text;
    }
}
