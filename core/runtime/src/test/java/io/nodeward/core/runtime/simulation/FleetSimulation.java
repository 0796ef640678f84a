package io.nodeward.core.runtime.simulation;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.status.EventRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A controller of a Cluster's objects, the Cluster and its Nodes, and what others do to these. */
@SuppressWarnings("this-escape") // to the superclass alone, which remembers the stores
public abstract class FleetSimulation extends Simulation {
    /** Keys of taints that the controller is to keep on Nodes begin so. */
    public static final String DECLARED = "declared";
    public static final ObjectKey CLUSTER = new ObjectKey("fleet", "c");

    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    protected final FakeStore<Node> nodes = store(Node::withResourceVersion);
    protected final FakeStore<Cluster> clusters = store(Cluster::withResourceVersion);
    protected final FakeClusters workload =
            new FakeClusters(CLUSTER, nodes, faults, (store, node) -> store.put(wiped(node)));
    protected final StatusServer statuses = new StatusServer(faults);

    private final RecordedRequests requests = new RecordedRequests(statuses);
    private Optional<EventRecorder> events = Optional.empty();
    private boolean recording;

    protected FleetSimulation(Random random) {
        super(random);
        statuses.add("clusters", clusters, FleetSimulation::with);
        pause(false);
    }

    /** The controller of this process, which is not started. */
    protected abstract ReconcileLoop<?> process(NewProcess process);

    @Override
    protected final ReconcileLoop<?> process() {
        workload.restart();
        events.ifPresent(EventRecorder::close);
        NewProcess process = new NewProcess(time, requests, recording);
        events = Optional.of(process.events());
        clusters.watch(process.management().clusters());
        return process(process);
    }

    /** From now on Events are written too, and nothing fails by chance. */
    public final void record() {
        endFaults();
        recording = true;
        restart();
    }

    /** Records what is sent until so much time has passed. */
    public final void step(String text, Duration length) {
        pass(length);
        requests.step(text, events.orElseThrow());
    }

    public final RecordedRequests requests() {
        return requests;
    }

    @Override
    protected void afterWork() {
        workload.reconnect();
    }

    @Override
    public int writes() {
        return workload.writes();
    }

    public final void pause(boolean paused) {
        List<Condition> conditions = clusters.get(CLUSTER).map(Cluster::conditions).orElse(List.of());
        clusters.put(new Cluster(metadata(CLUSTER, "c"), paused, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, conditions));
    }

    /** Whether the workload cluster answers from now on. */
    public final void answer(boolean answers) {
        workload.setAvailable(answers);
    }

    /** A new Node, which has just registered. */
    public final void join(String node, String uid) {
        join(node, uid, List.of(Taint.of(ClusterApi.UNINITIALIZED_TAINT, "", "NoSchedule")));
    }

    protected final void join(String node, String uid, List<Taint> taints) {
        leave(node);
        nodes.put(new Node(metadata(ObjectKey.clusterScoped(node), uid), "fake://" + node, taints));
    }

    public final void leave(String node) {
        nodes.delete(ObjectKey.clusterScoped(node));
    }

    /** Somebody else adds a taint, or takes it off. */
    public final void taint(String node, String key, boolean on) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(before -> {
            List<Taint> taints = new ArrayList<>(before.taints());
            taints.removeIf(taint -> taint.key().equals(key));
            if (on) {
                taints.add(Taint.of(key, "", "NoExecute"));
            }
            nodes.put(new Node(before.metadata(), before.providerId(), taints));
        });
    }

    public final void wipe(String node) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(before -> nodes.put(wiped(before)));
    }

    public final void heartbeat(String node) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(nodes::put);
    }

    /** Somebody takes off what is declared. */
    private static Node wiped(Node node) {
        return new Node(node.metadata(), node.providerId(),
                node.taints().stream().filter(taint -> !taint.key().startsWith(DECLARED)).toList());
    }

    /** Some that somebody declares, at most one of each effect. */
    public static List<MachineTaint> taints(Random random) {
        List<MachineTaint> taints = new ArrayList<>();
        for (String effect : EFFECTS) {
            if (random.nextBoolean()) {
                taints.add(new MachineTaint(
                        DECLARED + random.nextInt(2), "v" + random.nextInt(3), effect, MachineTaint.ALWAYS));
            }
        }
        return taints;
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

    private static Cluster with(Cluster cluster, List<Condition> conditions) {
        return new Cluster(cluster.metadata(), cluster.paused(), cluster.controlPlane(), cluster.initialization(),
                conditions);
    }

    /** Of an object beside the Cluster. */
    protected static ObjectKey key(String name) {
        return new ObjectKey(CLUSTER.namespace(), name);
    }

    protected static Metadata metadata(ObjectKey key, String uid) {
        return new Metadata(key, uid, "", Map.of(), Map.of(), List.of(), false);
    }
}
