package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.cache.CacheSync;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens to all controllers of a process together. */
public final class Controllers {
    private static final Logger LOG = LoggerFactory.getLogger(Controllers.class);

    private Controllers() {}

    /** Starts each as soon as what it reads has been seen, whatever the others wait for; returns at once. */
    public static void start(Collection<Controller> controllers) {
        controllers.forEach(controller -> CacheSync.whenSynced(controller.reads(), controller::start));
    }

    /**
     * Ends them within one time for all: none takes on anything while another finishes the write in hand.
     *
     * @param patience from now on; who was not finished by then is logged
     */
    public static void stop(Collection<Controller> controllers, Duration patience, InstantSource clock)
            throws InterruptedException {
        Instant end = clock.instant().plus(patience);
        controllers.forEach(Controller::retire);
        for (Controller controller : controllers) {
            Duration left = Duration.between(clock.instant(), end);
            try {
                if (!controller.stop(left.isNegative() ? Duration.ZERO : left)) {
                    LOG.warn("{}: a write was not answered within {} s", controller.name(), patience.toSeconds());
                }
            } catch (RuntimeException e) { // the others are stopped all the same
                LOG.error("{}: failed to stop", controller.name(), e);
            }
        }
    }
}
