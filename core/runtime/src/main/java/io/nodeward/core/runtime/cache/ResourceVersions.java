package io.nodeward.core.runtime.cache;

/**
 * Which of two versions of one object is the newer. Kubernetes 1.35 and later promise what has always been true: they
 * are decimal numbers that grow (kubernetes/enhancements KEP-5504). Anything else is taken to come in order.
 */
public final class ResourceVersions {
    private ResourceVersions() {}

    /** False as well for what cannot be compared. */
    public static boolean isOlder(String version, String than) {
        if (!isNumber(version) || !isNumber(than)) {
            return false;
        }
        return version.length() != than.length() ? version.length() < than.length() : version.compareTo(than) < 0;
    }

    private static boolean isNumber(String text) {
        if (text.isEmpty() || text.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
