package io.nodeward.core.rules.validation;

/** What becomes of a fault of an object that is about to be stored. */
public enum Enforcement {
    /** The object is refused. */
    ENFORCE,
    /** It is stored, and its writer is told. */
    WARN,
    /** Nobody is told. */
    OFF
}
