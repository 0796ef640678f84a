package io.nodeward.core.rules.validation;

/**
 * One fault of a declared list of taints.
 *
 * @param field path from the object's root, as the API server names it, for example {@code spec.taints[0].key}
 */
public record Violation(String field, Reason reason, String message) {
    /** The class of a fault; {@link #text()} is the name that the conformance vectors use. */
    public enum Reason {
        TYPE("type"),
        MIN_ITEMS("minItems"),
        MAX_ITEMS("maxItems"),
        DUPLICATE("duplicate"),
        REQUIRED("required"),
        KEY_MIN_LENGTH("key.minLength"),
        KEY_MAX_LENGTH("key.maxLength"),
        KEY_PATTERN("key.pattern"),
        VALUE_MAX_LENGTH("value.maxLength"),
        VALUE_PATTERN("value.pattern"),
        EFFECT_ENUM("effect.enum"),
        PROPAGATION_ENUM("propagation.enum"),
        RESERVED_KEY("reservedKey"),
        FEATURE_GATE("featureGate"),
        /** Of an annotation that declares a taint; the vectors know none. */
        ANNOTATION_FORM("annotation.form");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }
}
