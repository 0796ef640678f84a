package io.nodeward.controller.admission;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.queue.Controller;
import io.nodeward.core.runtime.queue.Outcome;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Stands where the room would be while its gate is off: takes away, once, what the room has left in the cluster. */
final class CleanUpRoom implements Room {
    /** What a process that was being replaced has put back meanwhile goes as well. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final Controller<Duty> controller;

    @Inject
    CleanUpRoom(Leftovers leftovers, Timers timers, MeterRegistry registry) {
        this.controller = new Controller<>("admission-cleanup", Duty::name, 1,
                duty -> ObjectKey.clusterScoped("leftovers"),
                duty -> leftovers.remove(Map.of()) == 0
                        ? Outcome.DONE
                        : new Outcome.Again(ONCE_MORE, "whoever needed them to be gone"),
                timers, registry);
    }

    @Override
    public String name() {
        return controller.name();
    }

    @Override
    public boolean startAtOnce() {
        return true;
    }

    @Override
    public void start() {
        controller.queue().add(Duty.LEFTOVERS);
        controller.start();
    }

    @Override
    public void retire() {
        controller.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        return controller.stop(patience);
    }
}
