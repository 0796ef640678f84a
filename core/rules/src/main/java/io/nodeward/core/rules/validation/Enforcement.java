package io.nodeward.core.rules.validation;

/** What becomes of an invalid object that is about to be stored, in the words of Pod Security admission. */
public enum Enforcement {
    /** The object is refused. */
    Enforce,
    /** It is stored, and its writer gets a warning. */
    Warn,
    /** It is stored, and its writer is not told. */
    Off
}
