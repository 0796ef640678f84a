package io.nodeward.core.rules.validation;

/**
 * What a Node accepts, as regular expressions of a whole text for where Java cannot run. They are of the form that Go
 * and Java read alike, and say the same as {@link NodeAcceptance}.
 */
final class TaintPatterns {
    private static final String NAME =
            "[A-Za-z0-9]([-A-Za-z0-9_.]{0," + (NodeAcceptance.MAX_NAME - 2) + "}[A-Za-z0-9])?";
    private static final String DOMAIN = "[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*";

    /** A key, whose length is looked at besides. */
    static final String KEY = "(" + DOMAIN + "/)?" + NAME;
    /** A value; the empty text is one. */
    static final String VALUE = "(" + NAME + ")?";
    static final String EFFECT = String.join("|", NodeAcceptance.EFFECTS);
    /** An annotation that declares a taint; see {@link AnnotatedTaint}. */
    static final String ANNOTATION = KEY + "(=" + VALUE + ")?:(" + EFFECT + ")(:OnInitialization)?";

    private TaintPatterns() {}

    /** Only the text as a whole will do, even if it ends with a newline. */
    static String whole(String pattern) {
        return "^(?:" + pattern + ")$";
    }
}
