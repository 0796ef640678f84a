package io.nodeward.core.rules.validation;

/** A field as it arrived, before anyone checked its type: validation has to be able to say "required" and "type". */
public sealed interface Given<T> {
    /** The field is missing, or null: the API server drops a null before it looks at the schema. */
    record Absent<T>() implements Given<T> {}

    /** The field has the right type. */
    record Value<T>(T value) implements Given<T> {}

    /**
     * The field has another type.
     *
     * @param found the JSON type that was found, for example {@code number}
     */
    record WrongType<T>(String found) implements Given<T> {}

    static <T> Given<T> absent() {
        return new Absent<>();
    }

    static <T> Given<T> of(T value) {
        return new Value<>(value);
    }

    static <T> Given<T> wrongType(String found) {
        return new WrongType<>(found);
    }
}
