package io.nodeward.e2e.machinepool;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import java.util.Map;

/** A policy of the API server that refuses whatever the controller writes to one Node. */
final class NodeLock implements AutoCloseable {
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private static final List<String> COLLECTIONS =
            List.of("validatingadmissionpolicybindings", "validatingadmissionpolicies");

    private final MachineSuite suite;
    private final String node;
    private final String name;

    /** Returns when it is in force. */
    NodeLock(MachineSuite suite, String node) {
        this.suite = suite;
        this.node = node;
        this.name = "lock-" + node;
        suite.admin().create(GROUP + "validatingadmissionpolicies", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "spec", Map.of(
                        "matchConstraints", Map.of("resourceRules", List.of(Map.of(
                                "apiGroups", List.of(""), "apiVersions", List.of("v1"), "operations", List.of("UPDATE"),
                                "resources", List.of("nodes"), "resourceNames", List.of(node)))),
                        "validations", List.of(Map.of("message", words(), "expression",
                                "request.userInfo.username != '" + MachineSuite.WORKLOAD_USER + "'"))))));
        suite.admin().create(GROUP + "validatingadmissionpolicybindings", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "spec", Map.of("policyName", name, "validationActions", List.of("Deny")))));
        await("the policy").atMost(MachineSuite.PATIENCE).until(() -> !lets());
    }

    /** Whether the controller may write to the Node, as the server says at this moment. */
    private boolean lets() {
        try (AdminClient controller = new AdminClient(suite.workload())) {
            return controller.send("PATCH", Fleet.nodePath(node) + "?dryRun=All", AdminClient.MERGE_PATCH,
                    "{\"metadata\":{\"labels\":{\"any\":\"label\"}}}").isOk();
        }
    }

    /** What the server says when it refuses. */
    String words() {
        return "locked by " + name;
    }

    /** Returns when it is in force no more. */
    @Override
    public void close() {
        COLLECTIONS.forEach(collection -> suite.admin().delete(GROUP + collection + "/" + name));
        await("its end").atMost(MachineSuite.PATIENCE).until(this::lets);
    }
}
