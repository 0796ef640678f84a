package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the test classes of the machine controller share: one real control plane with Cluster API's own CRDs, the controller
 * under ServiceAccounts that may do what the controller's RBAC files say and nothing else, one namespace per class, and the
 * audit log as witness of every request the controller makes.
 */
public final class MachineSuite implements AutoCloseable {
    /** For what must come true: generous, as machines are slow and busy. */
    public static final Duration PATIENCE = Duration.ofSeconds(60);
    /** After this time without a request of somebody who tells nothing of his queues nothing more is taken to come. */
    public static final Duration QUIET = Duration.ofMillis(400);

    /** With which the controller reads the ConfigMap that pauses it, if it may ({@link #allowPause}). */
    public static final String PAUSABLE = "--pause-configmap=nodeward-system/nodeward-pause";

    private static final String SYSTEM = "nodeward-system";
    private static final String MANAGEMENT = "nodeward-management";
    private static final String WORKLOAD = "nodeward-workload";
    /** Who the controller is in the management cluster, as the audit log names it. */
    public static final String MANAGEMENT_USER = "system:serviceaccount:" + SYSTEM + ":" + MANAGEMENT;
    /** Who the controller is in a workload cluster, as the audit log names it. */
    public static final String WORKLOAD_USER = "system:serviceaccount:" + SYSTEM + ":" + WORKLOAD;

    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";

    private final ControlPlane controlPlane;
    private final Fleet fleet;
    private final Kubeconfig management;
    private final Kubeconfig workload;
    private final Rest rest;

    private MachineSuite(ControlPlane controlPlane, String namespace) {
        this.controlPlane = controlPlane;
        this.fleet = Fleet.in(controlPlane.admin(), namespace);
        this.rest = new Rest(controlPlane);
        this.management = controlPlane.kubeconfigForServiceAccount(SYSTEM, MANAGEMENT);
        this.workload = controlPlane.kubeconfigForServiceAccount(SYSTEM, WORKLOAD);
        awaitAllowed(management, "/api/v1/secrets");
        awaitAllowed(workload, "/api/v1/nodes");
    }

    /** In a namespace of its own on the shared control plane. */
    public static MachineSuite in(String namespace) {
        return on(ControlPlane.shared(), ClusterApiRelease.LATEST, namespace);
    }

    /** On another control plane, with the CRDs of another release. */
    public static MachineSuite on(ControlPlane controlPlane, ClusterApiRelease release, String namespace) {
        AdminClient admin = controlPlane.admin();
        ClusterApiCrds.install(admin, release);
        admin.createIfAbsent("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", SYSTEM))));
        bind(admin, "machine");
        return new MachineSuite(controlPlane, namespace);
    }

    /** As {@link #in}, with the rights of one more controller: those of the machine controller may not be enough for it. */
    public static MachineSuite in(String namespace, String controller) {
        return in(namespace).allow(controller, "/apis/cluster.x-k8s.io/v1beta2/" + controller + "s");
    }

    /**
     * With the rights of one more controller.
     *
     * @param path what it may read with them and not without
     */
    public MachineSuite allow(String controller, String path) {
        bind(admin(), controller);
        awaitAllowed(management, path);
        return this;
    }

    private static void bind(AdminClient admin, String controller) {
        Path roles = Path.of("..", "controller", controller, "src", "main", "rbac");
        bind(admin, MANAGEMENT, roles.resolve("management.yaml"));
        if (Files.exists(roles.resolve("workload.yaml"))) { // not every controller does something in both
            bind(admin, WORKLOAD, roles.resolve("workload.yaml"));
        }
    }

    /**
     * Gives the controller more rights in the management cluster.
     *
     * @param role a ClusterRole as YAML
     * @param plural of Cluster API, which it may list then
     */
    public void allow(Path role, String plural) {
        bind(admin(), MANAGEMENT, role);
        awaitAllowed(management, "/apis/cluster.x-k8s.io/v1beta2/" + plural);
    }

    /** Gives the controller the right to read what pauses it. */
    public void allowPause() {
        allowInNamespace("namespace.yaml");
    }

    /** Gives the controller the right to Leases. */
    public void allowLeaderElection() {
        allowInNamespace("leader-election.yaml");
    }

    private void allowInNamespace(String file) {
        JsonNode role = Json.yaml(read(Path.of("..", "controller", "app", "src", "main", "rbac", file))).getFirst();
        String name = role.at("/metadata/name").asText();
        String roles = AUTHORIZATION + "/namespaces/" + SYSTEM + "/role";
        admin().createIfAbsent(roles + "s", role);
        admin().createIfAbsent(roles + "bindings", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "Role", "name", name),
                "subjects", List.of(Map.of("kind", "User", "name", MANAGEMENT_USER)))));
    }

    public ControlPlane controlPlane() {
        return controlPlane;
    }

    public AdminClient admin() {
        return controlPlane.admin();
    }

    public Fleet fleet() {
        return fleet;
    }

    /** With which the controller reaches the management cluster. */
    public Path managementKubeconfig() {
        return controlPlane.file(management);
    }

    /** With which a Cluster's Nodes are reached. */
    public Kubeconfig workload() {
        return workload;
    }

    /** A Cluster of this name, reached as {@link #WORKLOAD_USER}. */
    public void cluster(String name) {
        fleet.cluster(name, workload);
    }

    /** @param arguments of {@code nodeward controller} besides kubeconfig and addresses */
    public RunningNodeward start(String... arguments) {
        return rest.add(RunningNodeward.start(managementKubeconfig(), arguments));
    }

    /** It is asked whenever somebody wants to know whether the controller has anything left to do. */
    public void add(Canary canary) {
        rest.add(canary);
    }

    /** Says what this suite has left, which must be the same with each backend. */
    void compareWithOtherBackends() {
        FinalObjects.compare(fleet.namespace(), fleet.objects());
    }

    /** Path of Cluster API's objects of this suite. */
    public String clusterApi() {
        return "/apis/cluster.x-k8s.io/v1beta2/namespaces/" + fleet.namespace();
    }

    /** Path of Secrets, ServiceAccounts and the like of this suite. */
    public String core() {
        return "/api/v1/namespaces/" + fleet.namespace();
    }

    public JsonNode node(String name) {
        return admin().get(Fleet.nodePath(name));
    }

    public JsonNode machine(String name) {
        return admin().get(fleet.machinePath(name));
    }

    /** Waits until a Node bears exactly these, in this order; {@code key[=value]:Effect}. */
    public void awaitTaints(String node, String... taints) {
        await("taints of " + node).atMost(PATIENCE)
                .untilAsserted(() -> assertThat(Taints.on(node(node))).containsExactly(taints));
    }

    public AuditLog.Mark mark() {
        return controlPlane.audit().mark();
    }

    /** Waits until the controller has nothing left to do, and marks that place. */
    public AuditLog.Mark settled() {
        return rest.await();
    }

    /** Waits until the controller has nothing left to do, and gives all it requested since the mark. */
    public List<AuditRequest> settledSince(AuditLog.Mark mark) {
        rest.await();
        return requestsSince(mark);
    }

    /** All requests of the controller so far, in both clusters; answers to canaries left out. */
    public List<AuditRequest> requestsSince(AuditLog.Mark mark) {
        return rest.requestsSince(mark);
    }

    /** Plurals of what the controller has begun to watch since the mark, for itself or for canaries. */
    public Set<String> watchedSince(AuditLog.Mark mark) {
        return requestsSince(mark).stream().filter(request -> request.verb().equals("watch"))
                .map(AuditRequest::resource).collect(Collectors.toSet());
    }

    /** Messages of the Warning Events about an object of this suite, by reason; one entry per Event. */
    public List<Map.Entry<String, String>> warnings(String kind, String name) {
        JsonNode events = admin().get("/api/v1/namespaces/" + fleet.namespace() + "/events?fieldSelector=type=Warning"
                + ",involvedObject.kind=" + kind + ",involvedObject.name=" + name);
        return events.path("items").valueStream()
                .map(e -> Map.entry(e.path("reason").asText(), e.path("message").asText()))
                .toList();
    }

    /** Whether it was the controller, in whatever cluster; its probes, which come when they come, left out. */
    public static boolean isNodeward(AuditRequest request) {
        boolean itsUser = request.user().equals(MANAGEMENT_USER) || request.user().equals(WORKLOAD_USER);
        return itsUser && !request.uri().equals("/version");
    }

    @Override
    public void close() {
        fleet.close();
    }

    private static void bind(AdminClient admin, String account, Path file) {
        JsonNode role = Json.yaml(read(file)).getFirst();
        Object subject = Map.of("kind", "ServiceAccount", "namespace", SYSTEM, "name", account);
        String roleName = role.path("metadata").path("name").asText();
        admin.createIfAbsent(
                "/api/v1/namespaces/" + SYSTEM + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", account))));
        admin.createIfAbsent(AUTHORIZATION + "/clusterroles", role);
        admin.createIfAbsent(AUTHORIZATION + "/clusterrolebindings", Json.tree(Map.of(
                "metadata", Map.of("name", roleName),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", roleName),
                "subjects", List.of(subject))));
    }

    // The authorizer learns of a binding through a watch of its own.
    private static void awaitAllowed(Kubeconfig kubeconfig, String path) {
        try (AdminClient client = new AdminClient(kubeconfig)) {
            await("the role of " + path).atMost(PATIENCE)
                    .until(() -> client.send("GET", path + "?limit=1", AdminClient.JSON, "").isOk());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toAbsolutePath() + ": run this from the folder e2e, as Maven does", e);
        }
    }
}
