package io.nodeward.core.rules.origin;

/**
 * Why a taint is there, as in {@link TaintOrigin}.
 *
 * @param by empty if it is not known
 * @param certain whether it follows from what is recorded
 * @param because one sentence
 */
record Cause(Source source, String by, boolean certain, String because) {
    static Cause unknown(String because) {
        return new Cause(Source.UNKNOWN, "", false, because);
    }
}
