package io.nodeward.controller.admission;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;

/** Stands where the room would be while its gate is off: takes away, once, what the room has left in the cluster. */
final class CleanUpRoom implements Room {
    /** What a process that was being replaced has put back meanwhile goes as well. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final ReconcileLoop<Duty> loop;

    @Inject
    CleanUpRoom(Leftovers leftovers, Timers timers, MeterRegistry registry) {
        this.loop = new ReconcileLoop<>("admission-cleanup", Duty::name, 1,
                duty -> ObjectKey.clusterScoped("leftovers"),
                duty -> leftovers.remove(Map.of()) == 0
                        ? Result.done()
                        : Result.requeueAfter(ONCE_MORE, "whoever needed them to be gone"),
                timers, registry);
    }

    @Override
    public String name() {
        return loop.name();
    }

    @Override
    public boolean startAtOnce() {
        return true;
    }

    @Override
    public void start() {
        loop.queue().add(Duty.LEFTOVERS);
        loop.start();
    }

    @Override
    public void retire() {
        loop.retire();
    }

    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        return loop.stop(patience);
    }
}
