package io.nodeward.e2e.handover;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Machines of one cluster that the upstream manager and Nodeward look after in turn or together, their Nodes, and who
 * asked what of these Nodes. Number n of the Machines and its Node are called {@code <cluster>-n}.
 */
final class PeerFleet {
    /** After this time without a request nothing more is taken to come; upstream repeats what failed after 1 s. */
    static final Duration QUIET = Duration.ofSeconds(5);

    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int THREADS = 8;

    private final MachineSuite suite;
    private final String cluster;
    private final int size;
    private final Map<Integer, Revision> revisions = new TreeMap<>();

    PeerFleet(MachineSuite suite, String cluster, int size) {
        this.suite = suite;
        this.cluster = cluster;
        this.size = size;
    }

    /** Upstream's manager without its limits of requests per second, which would only take time. */
    static Upstream upstream(MachineSuite suite, String gates) {
        return Upstream.start(suite.controlPlane(), gates,
                "--clustercache-client-qps=2000", "--clustercache-client-burst=4000",
                "--kube-api-qps=2000", "--kube-api-burst=4000");
    }

    /** A user of the workload cluster that only the upstream manager is. */
    static Kubeconfig upstreamUser(MachineSuite suite) {
        String user = suite.fleet().namespace() + "-upstream";
        return suite.controlPlane().kubeconfigForUser(user, List.of("system:masters"));
    }

    /** Whether the upstream manager asked it, wherever; its probes of the server's health left out. */
    static boolean isUpstream(AuditRequest request) {
        boolean itsUser = request.user().equals(Upstream.USER) || request.user().endsWith("-upstream");
        return itsUser && !request.userAgent().startsWith("nodeward/") && !request.resource().isEmpty();
    }

    /** Waits until the upstream manager has reached the workload cluster. */
    static void awaitUpstream(MachineSuite suite, AuditLog.Mark since) {
        await("upstream to connect").atMost(PATIENCE).until(() -> suite.controlPlane().audit().since(since)
                .anyMatch(r -> r.user().endsWith("-upstream") && !r.userAgent().startsWith("nodeward/")));
    }

    /** Whether Nodeward asked it, with whatever kubeconfig. */
    static boolean isNodeward(AuditRequest request) {
        return request.userAgent().startsWith("nodeward/");
    }

    static boolean isNodeWrite(AuditRequest request) {
        return request.isWrite() && request.resource().startsWith("nodes");
    }

    /** @param labels of the Cluster, as Cluster API knows them */
    void createCluster(Kubeconfig workload, Map<String, String> labels) {
        suite.fleet().cluster(cluster, workload);
        suite.admin().mergePatch(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + suite.fleet().namespace() + "/clusters/" + cluster,
                Json.tree(Map.of("metadata", Map.of("labels", labels))).toString());
    }

    /** In their first revision, and their Nodes, which register uninitialized with a foreign taint and label. */
    void createMachines(Map<String, String> labels) {
        inParallel(i -> {
            Revision first = new Revision(i, 1);
            suite.fleet().node(node(i));
            suite.fleet().machine(first.of(name(i), cluster, labels));
        });
        IntStream.range(0, size).forEach(i -> revisions.put(i, new Revision(i, 1)));
    }

    // Some come with a taint that their Machine declares as well, with another value: it is adopted.
    private NodeSpec node(int i) {
        NodeSpec node = NodeSpec.named(name(i))
                .withLabels(Map.of("example.com/foreign", "label"))
                .withTaint("example.com/foreign", "taint", "NoSchedule")
                .uninitialized();
        return i % 7 == 0 ? node.withTaint(Revision.TEAM, "kubelet", "NoSchedule") : node;
    }

    int size() {
        return size;
    }

    String name(int i) {
        return cluster + "-" + i;
    }

    /** The names of Machines and Nodes with these numbers. */
    List<String> names(IntStream numbers) {
        return numbers.mapToObj(this::name).toList();
    }

    /** Gives these Machines their next revision, one request each. */
    void edit(IntStream numbers) {
        numbers.forEach(i -> {
            Revision next = new Revision(i, revisions.get(i).number() + 1);
            suite.admin().mergePatch(suite.fleet().machinePath(name(i)), next.patch());
            revisions.put(i, next);
        });
    }

    /** Whether an infrastructure says that its machine may go at any time. */
    void interruptible(int i, boolean is) {
        suite.admin().mergePatch(
                "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/" + suite.fleet().namespace()
                        + "/genericinfrastructuremachines/" + name(i) + "/status",
                "{\"status\":{\"interruptible\":%s}}".formatted(is));
    }

    /** Waits until what is declared is on every Node. */
    void awaitOnNodes() {
        await(cluster).atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(() -> behind().isEmpty());
    }

    /** The Nodes that have not yet what is declared for them. */
    List<String> behind() {
        Map<String, JsonNode> nodes = nodes();
        return revisions.values().stream().filter(r -> !r.isOn(nodes.get(name(r.index()))))
                .map(r -> name(r.index())).toList();
    }

    /** All Nodes by name. */
    Map<String, JsonNode> nodes() {
        Map<String, JsonNode> nodes = new HashMap<>();
        for (JsonNode node : suite.admin().get("/api/v1/nodes").path("items")) {
            String name = node.path("metadata").path("name").asText();
            if (name.startsWith(cluster + "-")) {
                nodes.put(name, node);
            }
        }
        return nodes;
    }

    /** What is propagated to all Nodes, by number: taints in order, labels and annotations. */
    Map<Integer, JsonNode> propagated() {
        Map<Integer, JsonNode> all = new TreeMap<>();
        Map<String, JsonNode> nodes = nodes();
        revisions.keySet().forEach(i -> all.put(i, Propagated.of(nodes.get(name(i)))));
        return all;
    }

    /** Waits until there was no such request for {@code quiet}, and gives those since the mark. */
    static List<AuditRequest> settled(
            MachineSuite suite, AuditLog.Mark mark, Predicate<AuditRequest> matching, Duration quiet) {
        AuditLog audit = suite.controlPlane().audit();
        audit.settled(audit.mark(), matching, quiet);
        return audit.since(mark).filter(matching).toList();
    }

    private interface Task {
        void run(int number);
    }

    private void inParallel(Task task) {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            List<Future<?>> running = new ArrayList<>();
            IntStream.range(0, size).forEach(i -> running.add(threads.submit(() -> task.run(i))));
            for (Future<?> each : running) {
                each.get();
            }
        } catch (Exception e) {
            throw new AssertionError("the fleet " + cluster + " could not be created", e);
        }
    }
}
