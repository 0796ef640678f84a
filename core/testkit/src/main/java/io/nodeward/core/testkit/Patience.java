package io.nodeward.core.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Awaitility's ten seconds are a verdict on a busy machine. In every JVM of tests with this kit on its class path they are two
 * minutes, which is a net only: what takes a second then still passes after one.
 */
public final class Patience implements LauncherSessionListener {
    /** For JUnit. */
    public Patience() {}

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        // Some modules have the kit for its vectors alone, and nothing to wait with.
        if (Patience.class.getResource("/org/awaitility/Awaitility.class") != null) {
            Awaitility.setDefaultTimeout(Duration.ofMinutes(2));
        }
    }
}
