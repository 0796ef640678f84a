package io.nodeward.e2e.bench.load;

import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Directories;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What all contenders work on, in turn: one API server that is management and workload cluster, and one fleet on it.
 * All of them are the same users: in the management cluster as a ServiceAccount of a pod is, in the workload cluster
 * as the kubeconfig that a bootstrap provider makes.
 */
public final class Testbed implements AutoCloseable {
    /** At the same time: what a user's tool would do, and few enough not to be queued by the server. */
    private static final int AT_ONCE = 32;

    private static final String MANAGEMENT = "bench-management";
    private static final String WORKLOAD = "bench-workload";
    private static final String IDEAL = "bench-ideal";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings";
    private static final String AUDIT_POLICY = """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived]
            rules:
            - level: None
              resources: [{group: coordination.k8s.io}]
            - level: Metadata
              users: [%s, %s, %s]
            - level: None
            """.formatted(MANAGEMENT, WORKLOAD, IDEAL);
    private static final Duration QUIET_PIECE = Duration.ofMillis(500);
    private static final Duration QUIET_AT_MOST = Duration.ofSeconds(60);
    /** Share of one CPU that etcd and the API server take together when nobody asks them anything, and some more. */
    private static final double QUIET_LOAD = 0.10;

    private final ControlPlane controlPlane;
    private final boolean owned;
    private final Kubeconfig management;
    private final Kubeconfig ideal;
    private final ApiServer server;
    private final BenchFleet fleet;
    private final RequestLog requests;
    private final Consumer<String> say;
    private @Nullable Observer nodes;
    private int size;
    private int value = 1;

    private Testbed(ControlPlane controlPlane, boolean owned, String namespace, Consumer<String> say) {
        this.controlPlane = controlPlane;
        this.owned = owned;
        this.say = say;
        ClusterApiCrds.install(controlPlane.admin());
        this.management = controlPlane.kubeconfigForUser(MANAGEMENT, List.of("system:serviceaccounts"));
        controlPlane.admin().createIfAbsent(BINDINGS, Json.tree(Map.of(
                "metadata", Map.of("name", MANAGEMENT),
                "roleRef", Map.of(
                        "apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", "cluster-admin"),
                "subjects", List.of(Map.of("kind", "User", "name", MANAGEMENT)))));
        this.server = connect(controlPlane.adminKubeconfig());
        Kubeconfig workload = controlPlane.kubeconfigForUser(WORKLOAD, List.of("system:masters"));
        this.ideal = controlPlane.kubeconfigForUser(IDEAL, List.of("system:masters"));
        this.fleet = BenchFleet.create(controlPlane, server, namespace, workload);
        this.requests = new RequestLog(controlPlane.audit(),
                request -> request.user().equals(MANAGEMENT) || request.user().equals(WORKLOAD));
    }

    /** On servers of its own, whose etcd waits for the disk and whose audit log has the controllers' requests alone, without renewals of Leases. */
    public static Testbed start(Consumer<String> say) {
        ControlPlane controlPlane = ControlPlane.start(Options.durable().withApiServerFlags(
                "--audit-policy-file=" + auditPolicy(), "--audit-log-mode=batch"));
        try {
            return new Testbed(controlPlane, true, "bench", say);
        } catch (RuntimeException e) {
            controlPlane.close();
            throw e;
        }
    }

    /** On servers that go on afterwards, for tests of the bench. */
    public static Testbed on(ControlPlane controlPlane, String namespace, Consumer<String> say) {
        return new Testbed(controlPlane, false, namespace, say);
    }

    private static Path auditPolicy() {
        Path file = Directories.io(() -> Files.createTempFile("nodeward-bench-audit-", ".yaml"));
        file.toFile().deleteOnExit();
        return Directories.write(file, AUDIT_POLICY);
    }

    private static ApiServer connect(Kubeconfig user) {
        return new ApiServer(
                new OfficialBackend().connect(new ClusterAccess(user.toYaml(), Optional.empty(), "nodeward-bench")));
    }

    /** The connection of the ideal client, whose requests the server notes as it notes those of controllers. */
    ApiServer connectIdeal() {
        return connect(ideal);
    }

    /** One of those that kubelets write over: nothing else has its streams. */
    ApiServer connectKubelets() {
        return connect(controlPlane.adminKubeconfig());
    }

    /** The ideal client's own watch of all Nodes. */
    Observer watchAsIdeal() {
        return Observer.start(ideal, BenchFleet.NODES, "", size);
    }

    public ControlPlane controlPlane() {
        return controlPlane;
    }

    /** Who a controller is in the management cluster. */
    public Kubeconfig management() {
        return management;
    }

    public BenchFleet fleet() {
        return fleet;
    }

    public RequestLog requests() {
        return requests;
    }

    public int size() {
        return size;
    }

    /** The watch of all Nodes, once there are some. */
    public Observer nodes() {
        if (nodes == null) {
            throw new IllegalStateException("the fleet is empty");
        }
        return nodes;
    }

    public void say(String line) {
        say.accept(line);
    }

    /** Adds Machines and Nodes until there are that many. */
    public void grow(int wanted) {
        int from = size;
        long start = System.nanoTime();
        Workers.run(wanted - from, AT_ONCE, i -> fleet.add(from + i, value));
        size = wanted;
        if (nodes != null) {
            nodes.close();
        }
        nodes = Observer.start(controlPlane.adminKubeconfig(), BenchFleet.NODES, "", wanted);
        say.accept("%d Machines and Nodes more in %.1f s".formatted(
                wanted - from, (System.nanoTime() - start) / 1e9));
    }

    /** The first {@code count} Nodes are those of a pool, and their Machines are gone; does nothing the second time. */
    public void makePool(int count) {
        if (!fleet.isPool()) {
            fleet.createPool(count, value);
            Workers.run(size, AT_ONCE, fleet::removeMachine);
            level();
        }
    }

    /** One merge patch of the pool. */
    public void declareInPool(int newValue) {
        fleet.declareInPool(newValue);
    }

    /** A watch of the Machines. */
    public Observer watchMachines() {
        return Observer.start(controlPlane.adminKubeconfig(), BenchFleet.MACHINES, fleet.namespace(), size);
    }

    /** One that no object has had yet. */
    public int nextValue() {
        return ++value;
    }

    /**
     * Lets the first {@code count} Machines declare the value.
     *
     * @param sent filled with {@link System#nanoTime} of each request
     */
    public void declare(int count, int newValue, long[] sent) {
        Workers.run(count, AT_ONCE, i -> {
            sent[i] = System.nanoTime();
            fleet.declare(i, newValue);
        });
    }

    /** Whether every Node has what its Machine declares. */
    public boolean isLevel() {
        return IntStream.range(0, size).allMatch(i -> fleet.declared(i) == nodes().value(i));
    }

    /**
     * Gives every Node what its Machine declares, and returns when the servers have nothing to do: whoever comes next
     * begins where everybody begins.
     */
    public void level() {
        Workers.run(size, AT_ONCE, i -> {
            if (fleet.declared(i) != nodes().value(i)) {
                fleet.writeNode(server, i, fleet.declared(i));
            }
        });
        awaitQuiet();
    }

    /** Returns when the servers take next to no CPU, or after a minute. */
    public void awaitQuiet() {
        long start = System.nanoTime();
        int quiet = 0;
        while (quiet < 2 && System.nanoTime() - start < QUIET_AT_MOST.toNanos()) {
            CpuTimes before = cpu(List.of());
            Pause.of(QUIET_PIECE);
            CpuTimes taken = cpu(List.of()).since(before);
            double load = (or0(taken.apiServer()) + or0(taken.etcd())) / (QUIET_PIECE.toMillis() / 1e3);
            quiet = load <= QUIET_LOAD ? quiet + 1 : 0;
        }
        if (quiet < 2) {
            say.accept("the servers are not quiet after " + QUIET_AT_MOST.toSeconds() + " s");
        }
    }

    private static double or0(OptionalDouble value) {
        return value.orElse(0);
    }

    /** @param controllers process ids */
    public CpuTimes cpu(List<Long> controllers) {
        return CpuTimes.of(controllers, controlPlane.apiServerPid(), controlPlane.etcdPid());
    }

    @Override
    public void close() {
        if (nodes != null) {
            nodes.close();
        }
        if (!owned) {
            fleet.removePool();
            Workers.run(size, AT_ONCE, fleet::remove);
        }
        server.close();
        if (owned) {
            controlPlane.close();
        }
    }
}
