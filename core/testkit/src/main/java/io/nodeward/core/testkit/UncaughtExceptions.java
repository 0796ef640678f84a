package io.nodeward.core.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a thread throws and nobody catches fails the test class at whose end it is known, with the thread's name. Without this,
 * Awaitility reports it to the test that waits at the time, and else nobody notices. JUnit finds it where extensions are
 * detected.
 */
public final class UncaughtExceptions implements BeforeAllCallback, AfterAllCallback {
    private static final Queue<AssertionError> UNCAUGHT = new ConcurrentLinkedQueue<>();

    /** For JUnit. */
    public UncaughtExceptions() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        Thread.setDefaultUncaughtExceptionHandler((thread, uncaught) -> UNCAUGHT.add(new AssertionError(
                "uncaught in thread '" + thread.getName() + "', which may be of an earlier test class: " + uncaught,
                uncaught)));
        // Some modules have nothing to wait with.
        if (UncaughtExceptions.class.getResource("/org/awaitility/Awaitility.class") != null) {
            Awaitility.doNotCatchUncaughtExceptionsByDefault();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        check();
    }

    static void check() {
        AssertionError first = UNCAUGHT.poll();
        if (first != null) {
            for (AssertionError next = UNCAUGHT.poll(); next != null; next = UNCAUGHT.poll()) {
                first.addSuppressed(next);
            }
            throw first;
        }
    }
}
