package io.nodeward.e2e.machine;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A ServiceAccount with the rights of the RBAC file of one controller and no others, in the controller's own cluster. */
public final class HomeAccount {
    private static final String SYSTEM = "nodeward-system";
    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";

    private HomeAccount() {}

    /**
     * Makes it.
     *
     * @param readable what the controller may list; answered when the server knows its role
     * @return a kubeconfig
     */
    public static Path of(ControlPlane controlPlane, String controller, String readable) {
        AdminClient admin = controlPlane.admin();
        admin.create("/api/v1/namespaces", named(SYSTEM));
        admin.create("/api/v1/namespaces/" + SYSTEM + "/serviceaccounts", named(name(controller)));
        JsonNode role = Json.yaml(read(Path.of("..", "controller", controller, "src", "main", "rbac", "home.yaml")))
                .getFirst();
        admin.create(AUTHORIZATION + "/clusterroles", role);
        admin.create(AUTHORIZATION + "/clusterrolebindings", Json.tree(Map.of(
                "metadata", Map.of("name", name(controller)),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name",
                        role.at("/metadata/name").asText()),
                "subjects", List.of(Map.of("kind", "ServiceAccount", "namespace", SYSTEM, "name", name(controller))))));
        Kubeconfig account = controlPlane.kubeconfigForServiceAccount(SYSTEM, name(controller));
        try (AdminClient client = new AdminClient(account)) {
            await("the role").atMost(MachineSuite.PATIENCE)
                    .until(() -> client.send("GET", readable, AdminClient.JSON, "").isOk());
        }
        return controlPlane.file(account);
    }

    /** As the server knows it. */
    public static String user(String controller) {
        return "system:serviceaccount:" + SYSTEM + ":" + name(controller);
    }

    private static String name(String controller) {
        return "nodeward-" + controller;
    }

    private static JsonNode named(String name) {
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
