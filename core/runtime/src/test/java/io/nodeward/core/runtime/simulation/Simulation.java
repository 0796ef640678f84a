package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * The process of one controller and the objects that it works on. The test delivers events, has keys worked on and lets time
 * pass.
 */
public abstract class Simulation {
    protected final ManualTime time = new ManualTime();
    protected final Faults faults;
    private final AtomicLong versions = new AtomicLong();
    private final List<FakeStore<?>> stores = new ArrayList<>();
    private SteppedLoop loop;

    protected Simulation(Random random) {
        this.faults = new Faults(random);
    }

    /** Objects of one kind, of which the test delivers events. */
    protected final <T extends KubernetesObject> FakeStore<T> store(BiFunction<T, String, T> withVersion) {
        FakeStore<T> store = new FakeStore<>(versions, withVersion);
        stores.add(store);
        return store;
    }

    /** The controller of a new process, which has seen nothing yet; it is not started. */
    protected abstract ReconcileLoop<?> process();

    /** All that counts in the end, as text. */
    protected abstract String state();

    /** Names of the objects that are not as the controller is to keep them, although it could. */
    protected abstract List<String> left();

    /** Changes something that is nobody's business about each object whose last write was rejected. */
    protected abstract void touchRejected();

    /** Objects of which the server has made a change. */
    public abstract int writes();

    /** What others do as soon as the controller has worked. */
    protected void afterWork() {}

    public final void restart() {
        if (loop != null) {
            loop.retire();
        }
        loop = new SteppedLoop(process());
    }

    /** Anything may happen in any order, and mostly does not. */
    public final void disturb(Random random) {
        for (int steps = random.nextInt(8); steps > 0; steps--) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> stores.get(random.nextInt(stores.size())).deliver();
                case 4, 5, 6, 7 -> work();
                case 8 -> time.pass(Duration.ofMillis(random.nextInt(40_000)));
                default -> {
                    if (random.nextInt(10) == 0) { // a new process looks at everything, which hides what the old one lost
                        restart();
                    }
                }
            }
        }
    }

    /** Nothing goes wrong from now on. */
    public final void endFaults() {
        faults.stop();
    }

    /** Until nothing is left to do, however long that takes. */
    public final void settle() {
        for (int steps = 0; steps < 100_000; steps++) {
            boolean busy = workAndDeliver();
            if (!busy && time.waits().isEmpty()) {
                return;
            }
            if (!busy) {
                time.passWait();
            }
        }
        throw new AssertionError("it does not come to rest");
    }

    /** Until nothing is left to do now, before and after so much time. */
    protected final void pass(Duration length) {
        drain();
        time.pass(length);
        drain();
    }

    private void drain() {
        for (int steps = 0; workAndDeliver(); steps++) {
            if (steps == 100_000) {
                throw new AssertionError("it does not come to rest");
            }
        }
    }

    private boolean workAndDeliver() {
        boolean busy = work();
        for (FakeStore<?> store : stores) {
            busy |= store.deliver();
        }
        return busy;
    }

    /** So many of the next writes of objects fail so. */
    public final void fail(Fault fault, int writes) {
        faults.plan(fault, writes);
    }

    private boolean work() {
        boolean worked = loop.runOnce();
        afterWork();
        if (faults.ended()) {
            restart();
        }
        return worked;
    }
}
