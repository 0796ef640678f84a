package io.nodeward.e2e.backend;

/**
 * The backend that the controller runs with in this JVM. Maven runs the suites of the controllers once with each, the usual one
 * first.
 */
public final class UsedBackend {
    public static final String USUAL = "fabric8";

    private UsedBackend() {}

    public static String name() {
        return System.getProperty("nodeward.e2e.backend", USUAL);
    }
}
