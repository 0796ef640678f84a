package io.nodeward.e2e.admission;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;

/**
 * A control plane of its own, as what judges is in the way of all, and a controller that may do what the RBAC files of the
 * machine and the admission controller say.
 */
final class AdmissionSuite implements AutoCloseable {
    static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
    static final String WEBHOOK = REGISTRATION + "validatingwebhookconfigurations/nodeward-admission";
    static final String SECRETS = "/api/v1/namespaces/nodeward-system/secrets";
    static final String MACHINES = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
    static final String SETS = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinesets";

    private static final String SYSTEM = "nodeward-system";
    private static final String ACCOUNT = "nodeward";
    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";

    private final ControlPlane controlPlane = ControlPlane.start(Options.standard());
    private final AdminClient admin = controlPlane.admin();
    private final Path kubeconfig;

    /** @param definitions CRDs of what declares taints */
    AdmissionSuite(List<JsonNode> definitions) {
        ClusterApiCrds.install(admin, definitions);
        admin.create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", SYSTEM))));
        admin.create("/api/v1/namespaces/" + SYSTEM + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", ACCOUNT))));
        bind("machine/src/main/rbac/management.yaml");
        bind("admission/src/main/rbac/management.yaml");
        bind("admission/src/main/rbac/namespace.yaml");
        Kubeconfig account = controlPlane.kubeconfigForServiceAccount(SYSTEM, ACCOUNT);
        this.kubeconfig = controlPlane.file(account);
        try (AdminClient client = new AdminClient(account)) {
            soon().until(() -> List.of("/api/v1/secrets", REGISTRATION + "validatingwebhookconfigurations", SECRETS)
                    .stream().allMatch(path -> client.send("GET", path, AdminClient.JSON, "").isOk()));
        }
    }

    private void bind(String file) {
        JsonNode role = Json.yaml(read(Path.of("..", "controller").resolve(file))).getFirst();
        boolean inNamespace = role.path("kind").asText().equals("Role");
        String at = AUTHORIZATION + (inNamespace ? "/namespaces/" + SYSTEM + "/role" : "/clusterrole");
        String name = role.at("/metadata/name").asText();
        admin.create(at + "s", role);
        admin.create(at + "bindings", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", role.path("kind").asText(),
                        "name", name),
                "subjects", List.of(Map.of("kind", "ServiceAccount", "namespace", SYSTEM, "name", ACCOUNT)))));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(file.toAbsolutePath() + ": run this from the folder e2e, as Maven does", e);
        }
    }

    ControlPlane controlPlane() {
        return controlPlane;
    }

    AdminClient admin() {
        return admin;
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    /** A Machine with this one taint, {@code key:Effect}. */
    static ObjectNode machine(String name, String... taints) {
        return declaring("Machine", name, "{\"clusterName\":\"c\",\"taints\":" + list(taints) + "}");
    }

    static ObjectNode set(String name, String... taints) {
        return declaring("MachineSet", name, "{\"template\":{\"spec\":{\"taints\":" + list(taints) + "}}}");
    }

    private static ObjectNode declaring(String kind, String name, String spec) {
        return (ObjectNode) Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"%s","metadata":{"name":"%s"},"spec":%s}"""
                .formatted(kind, name, spec));
    }

    static String list(String... taints) {
        return Json.tree(List.of(taints).stream().map(taint -> {
            String[] parts = taint.split(":");
            return Map.of("key", parts[0], "effect", parts[1], "propagation", "Always");
        }).toList()).toString();
    }

    /** As if it were to be created. */
    AdminClient.Reply offered(String collection, JsonNode object) {
        return admin.send("POST", collection + "?dryRun=All", AdminClient.JSON, object.toString());
    }

    @Override
    public void close() {
        controlPlane.close();
    }
}
