package io.nodeward.core.runtime.simulation;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * One workload cluster and the process of one controller. The test delivers events, has keys worked on and lets time
 * pass.
 */
public abstract class Simulation {
    /** Keys of taints that the controller is to keep on Nodes begin so. */
    public static final String DECLARED = "declared";
    public static final ObjectKey CLUSTER = new ObjectKey("fleet", "c");

    protected final ManualTime time = new ManualTime();
    protected final AtomicLong versions = new AtomicLong();
    protected final Faults faults;
    protected final FakeStore<Node> nodes = new FakeStore<>(versions, Node::withResourceVersion);
    protected final FakeClusters workload;
    private final List<FakeStore<?>> stores = new ArrayList<>(List.of(nodes));
    private SteppedLoop loop;

    protected Simulation(Random random) {
        this.faults = new Faults(random);
        this.workload = new FakeClusters(CLUSTER, nodes, faults, (store, node) -> store.put(wiped(node)));
    }

    protected final void add(FakeStore<?> store) {
        stores.add(store);
    }

    /** A new process, which has seen nothing yet; it is not started. */
    protected abstract ReconcileLoop<?> process();

    /** All that counts in the end, as text. */
    protected abstract String state();

    /** Names of the objects that are not as the controller is to keep them, although it could. */
    protected abstract List<String> left();

    /** Changes something that is nobody's business about each object whose last write was rejected. */
    protected abstract void touchRejected();

    public final void restart() {
        if (loop != null) {
            loop.retire();
        }
        workload.restart();
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
            boolean busy = work();
            for (FakeStore<?> store : stores) {
                busy |= store.deliver();
            }
            if (!busy && time.waits().isEmpty()) {
                return;
            }
            if (!busy) {
                time.passWait();
            }
        }
        throw new AssertionError("it does not come to rest");
    }

    private boolean work() {
        boolean worked = loop.runOnce();
        workload.reconnect();
        if (faults.ended()) {
            restart();
        }
        return worked;
    }

    /** Objects of which the server has made a change. */
    public int writes() {
        return workload.writes();
    }

    /** Somebody takes off what is declared. */
    protected static Node wiped(Node node) {
        return new Node(node.metadata(), node.providerId(),
                node.taints().stream().filter(taint -> !taint.key().startsWith(DECLARED)).toList());
    }

    /** The Nodes as text. The list of managed labels is left out if empty: whether it is there depends on the past. */
    protected final String nodesAsText() {
        return nodes.all().stream()
                .map(node -> node.key() + " " + node.metadata().uid() + " "
                        + node.taints().stream().map(Taint::json).collect(Collectors.toCollection(TreeSet::new)) + " "
                        + node.metadata().labels() + " " + node.metadata().annotations().toString()
                                .replace(ClusterApi.LABELS_FROM_MACHINE + "=, ", ""))
                .collect(Collectors.joining("\n"));
    }
}
