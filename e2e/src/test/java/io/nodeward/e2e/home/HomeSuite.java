package io.nodeward.e2e.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster without Cluster API whose kubelets are restricted, and a controller with a kind of its own in it, as a
 * ServiceAccount with the rights of its RBAC file and no others. The kind has cluster scope.
 */
public class HomeSuite implements AutoCloseable {
    private static final String SYSTEM = "nodeward-system";
    protected static final String RBAC = "rbac.authorization.k8s.io";
    private static final String AUTHORIZATION = "/apis/" + RBAC + "/v1";

    private final ControlPlane controlPlane;
    private final String controller;
    private final String gate;
    private final CustomResourceDefinition kind;
    private final String objects;
    private final Path kubeconfig;

    /**
     * Starts it.
     *
     * @param controller its name, which is that of its folder too
     * @param gate that it needs
     * @param apiServerFlags beside those that all suites have
     */
    protected HomeSuite(String controller, String gate, CustomResourceDefinition kind, String... apiServerFlags) {
        this.controller = controller;
        this.gate = gate;
        this.kind = kind;
        this.objects = "/apis/" + kind.group() + "/" + kind.version() + "/" + kind.plural();
        this.controlPlane = ControlPlane
                .start(Options.standard().withApiServerFlags("--enable-admission-plugins=NodeRestriction")
                        .withApiServerFlags(apiServerFlags));
        boolean begun = false;
        try {
            this.kubeconfig = prepare();
            begun = true;
        } finally {
            if (!begun) {
                controlPlane.close();
            }
        }
    }

    private Path prepare() {
        ClusterApiCrds.install(admin(), List.of(ShippedCrds.own(kind.plural())));
        namespace(SYSTEM);
        admin().create("/api/v1/namespaces/" + SYSTEM + "/serviceaccounts", named(account()));
        grant("home.yaml");
        Kubeconfig account = controlPlane.kubeconfigForServiceAccount(SYSTEM, account());
        try (AdminClient client = new AdminClient(account)) {
            await("the role").atMost(MachineSuite.PATIENCE)
                    .until(() -> client.send("GET", objects, AdminClient.JSON, "").isOk());
        }
        return controlPlane.file(account);
    }

    private String account() {
        return "nodeward-" + controller;
    }

    /**
     * Gives the controller the rights of one more role.
     *
     * @param file of its RBAC files
     */
    protected final void grant(String file) {
        grant(controller, file);
    }

    /** Gives the controller the right to read what pauses it. */
    public final void grantPause() {
        grant("app", "namespace.yaml");
    }

    /** Gives the controller the right to Leases. */
    public final void allowLeaderElection() {
        grant("app", "leader-election.yaml");
    }

    private void grant(String module, String file) {
        JsonNode role = Json.yaml(read(Path.of("..", "controller", module, "src", "main", "rbac", file))).getFirst();
        String name = role.at("/metadata/name").asText();
        String kind = role.path("kind").asText();
        String at = kind.equals("Role") ? "/namespaces/" + SYSTEM + "/role" : "/clusterrole";
        admin().create(AUTHORIZATION + at + "s", role);
        bind(at, kind, name, Map.of("kind", "ServiceAccount", "namespace", SYSTEM, "name", account()));
    }

    /** @param subject as RBAC names it */
    protected final void bind(String role, Map<String, String> subject) {
        bind("/clusterrole", "ClusterRole", role, subject);
    }

    private void bind(String at, String kind, String role, Map<String, String> subject) {
        admin().create(AUTHORIZATION + at + "bindings", Json.tree(Map.of(
                "metadata", Map.of("name", role),
                "roleRef", Map.of("apiGroup", RBAC, "kind", kind, "name", role),
                "subjects", List.of(subject))));
    }

    public final RunningNodeward run(String... arguments) {
        return RunningNodeward.start(kubeconfig, arguments(arguments).toArray(String[]::new));
    }

    /** As {@link #run}, without waiting until it is ready. */
    public final RunningNodeward runUnready(String... arguments) {
        return RunningNodeward.startUnready(kubeconfig, arguments(arguments).toArray(String[]::new));
    }

    /** What anybody has asked the API server for, reads too. */
    public final Stream<AuditRequest> audited(AuditLog.Mark since) {
        return controlPlane.audit().since(since);
    }

    /** What the controller has asked for of that. */
    public final Stream<AuditRequest> requests(AuditLog.Mark since) {
        String user = "system:serviceaccount:" + SYSTEM + ":" + account();
        return audited(since).filter(request -> request.user().equals(user));
    }

    private List<String> arguments(String... more) {
        return Stream.concat(Stream.of("--controllers=" + controller, "--feature-gates=" + gate + "=true"),
                Stream.of(more)).toList();
    }

    /** Starts the controller in a process of its own, which can be killed, with the heap that it has by default. */
    public final ControllerProcess process(Path directory, String... arguments) throws IOException {
        return ControllerProcess.withDefaultHeap(directory, Files.readString(kubeconfig), arguments(arguments));
    }

    /** With its gate off. */
    public final RunningNodeward runOff() {
        return RunningNodeward.start(kubeconfig, "--controllers=" + controller, "--feature-gates=" + gate + "=false");
    }

    /** For who starts more of it. */
    public final ControlPlane controlPlane() {
        return controlPlane;
    }

    public final AdminClient admin() {
        return controlPlane.admin();
    }

    /** Whoever this user is, with the rights of these groups. */
    protected final AdminClient as(String user, String... groups) {
        return new AdminClient(controlPlane.kubeconfigForUser(user, List.of(groups)));
    }

    /** With the ServiceAccount that its pods need. */
    public final void namespace(String name) {
        admin().create("/api/v1/namespaces", named(name));
        admin().create("/api/v1/namespaces/" + name + "/serviceaccounts", named("default"));
    }

    /** @param labels as {@code key=value} */
    public final void node(String name, String... labels) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String label : labels) {
            all.put(label.substring(0, label.indexOf('=')), label.substring(label.indexOf('=') + 1));
        }
        admin().create("/api/v1/nodes", Json.tree(Map.of("metadata", Map.of("name", name, "labels", all))));
    }

    /** A Node that takes pods. */
    public final void readyNode(String name, String... labels) {
        node(name, labels);
        admin().mergePatch("/api/v1/nodes/" + name, "{\"spec\":{\"taints\":null}}");
        Map<String, String> room = Map.of("cpu", "100", "memory", "100Gi", "pods", "1000");
        admin().mergePatch("/api/v1/nodes/" + name + "/status",
                Json.tree(Map.of("status", Map.of("capacity", room, "allocatable", room))).toString());
    }

    /** @param spec JSON with apostrophes for quotes */
    public final void declare(String name, String spec) {
        admin().create(objects, object(name, spec));
    }

    private JsonNode object(String name, String spec) {
        return Json.parse("""
                {"apiVersion":"%s/%s","kind":"%s","metadata":{"name":"%s"},"spec":%s}"""
                .formatted(kind.group(), kind.version(), kind.kind(), name, spec.replace('\'', '"')));
    }

    /** @param spec a merge patch of it, with apostrophes for quotes */
    public final void change(String name, String spec) {
        admin().mergePatch(path(name), "{\"spec\":%s}".formatted(spec.replace('\'', '"')));
    }

    /** As a tool does that keeps the object as it is in a repository. */
    public final void apply(String name, String spec) {
        AdminClient.Reply reply = admin().send("PATCH", path(name) + "?fieldManager=gitops&force=true",
                AdminClient.APPLY_PATCH, object(name, spec).toString());
        assertThat(reply.isOk()).as("" + reply.body()).isTrue();
    }

    public final JsonNode status(String name) {
        return admin().get(path(name)).path("status");
    }

    public final void delete(String name) {
        admin().delete(path(name));
    }

    /** Of this type; without fields if the object does not have it. */
    public final JsonNode condition(String name, String type) {
        return status(name).path("conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .orElseGet(() -> Json.parse("{}"));
    }

    /** Waits until the condition has this status, for the newest spec. */
    public final void awaitCondition(String name, String type, String status) {
        await(name + " " + type + "=" + status).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode object = admin().get(path(name));
            JsonNode condition = condition(name, type);
            assertThat(condition.path("status").asText()).as("" + object.path("status")).isEqualTo(status);
            assertThat(condition.path("observedGeneration").asInt())
                    .isEqualTo(object.at("/metadata/generation").asInt());
        });
    }

    public final AuditLog.Mark mark() {
        return controlPlane.audit().mark();
    }

    /**
     * What the controller has sent to change objects.
     *
     * @param resource plural, or how it begins
     */
    public final List<AuditRequest> writes(AuditLog.Mark since, String resource) {
        return requests(since).filter(request -> request.isWrite() && request.resource().startsWith(resource))
                .toList();
    }

    /** @return its path */
    public final String path(String name) {
        return objects + "/" + name;
    }

    @Override
    public final void close() {
        controlPlane.close();
    }

    protected static JsonNode named(String name) {
        return Json.tree(Map.of("metadata", Map.of("name", name)));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toAbsolutePath() + ": run this from the folder e2e, as Maven does", e);
        }
    }
}
