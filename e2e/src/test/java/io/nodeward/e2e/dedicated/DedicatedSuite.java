package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.HomeAccount;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A cluster without Cluster API whose kubelets are restricted, and the dedicated controller in it, as a ServiceAccount with
 * the rights of its RBAC file and no others.
 */
final class DedicatedSuite implements AutoCloseable {
    static final String GROUPS = "/apis/nodeward.io/v1alpha1/dedicatednodes";

    private final ControlPlane controlPlane;
    private final Path kubeconfig;

    private DedicatedSuite(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
        ClusterApiCrds.install(admin(), List.of(ShippedCrds.own("dedicatednodes")));
        this.kubeconfig = HomeAccount.of(controlPlane, "dedicated", GROUPS);
    }

    static DedicatedSuite start() {
        ControlPlane controlPlane = ControlPlane
                .start(Options.standard().withApiServerFlags("--enable-admission-plugins=NodeRestriction"));
        try {
            return new DedicatedSuite(controlPlane);
        } catch (RuntimeException | Error e) {
            controlPlane.close();
            throw e;
        }
    }

    RunningNodeward run(String... arguments) {
        return RunningNodeward.start(kubeconfig, Stream.concat(
                Stream.of("--controllers=dedicated", "--feature-gates=DedicatedNodes=true"), Stream.of(arguments))
                .toArray(String[]::new));
    }

    AdminClient admin() {
        return controlPlane.admin();
    }

    /** One who may do what the kubelet of this Node may. */
    AdminClient kubelet(String node) {
        return new AdminClient(controlPlane.kubeconfigForUser("system:node:" + node, List.of("system:nodes")));
    }

    /** With the ServiceAccount that its pods need. */
    void namespace(String name) {
        admin().create("/api/v1/namespaces", named(name));
        admin().create("/api/v1/namespaces/" + name + "/serviceaccounts", named("default"));
    }

    /** @param labels as {@code key=value} */
    void node(String name, String... labels) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String label : labels) {
            all.put(label.substring(0, label.indexOf('=')), label.substring(label.indexOf('=') + 1));
        }
        admin().create("/api/v1/nodes", Json.tree(Map.of("metadata", Map.of("name", name, "labels", all))));
    }

    JsonNode nodeNow(String name) {
        return admin().get(Fleet.nodePath(name));
    }

    /** @param tolerations JSON of a list */
    void pod(String namespace, String name, String node, String tolerations) {
        admin().create("/api/v1/namespaces/" + namespace + "/pods", Json.parse("""
                {"metadata":{"name":"%s"},"spec":{"nodeName":"%s","tolerations":%s,
                 "containers":[{"name":"c","image":"i"}]}}""".formatted(name, node, tolerations)));
    }

    /** @param spec JSON with apostrophes for quotes */
    void declare(String name, String spec) {
        admin().create(GROUPS, group(name, spec));
    }

    private static JsonNode group(String name, String spec) {
        return Json.parse("""
                {"apiVersion":"nodeward.io/v1alpha1","kind":"DedicatedNodes","metadata":{"name":"%s"},"spec":%s}"""
                .formatted(name, spec.replace('\'', '"')));
    }

    /** @param spec a merge patch of it, with apostrophes for quotes */
    void change(String name, String spec) {
        admin().mergePatch(GROUPS + "/" + name, "{\"spec\":%s}".formatted(spec.replace('\'', '"')));
    }

    JsonNode status(String group) {
        return admin().get(GROUPS + "/" + group).path("status");
    }

    /** Of this type; missing if the group does not have it. */
    JsonNode condition(String group, String type) {
        return status(group).path("conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst()
                .orElseGet(() -> Json.parse("{}"));
    }

    /** Waits until the condition has this status, for the newest spec. */
    void awaitCondition(String group, String type, String status) {
        await(group + " " + type + "=" + status).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode object = admin().get(GROUPS + "/" + group);
            JsonNode condition = condition(group, type);
            assertThat(condition.path("status").asText()).as("" + object.path("status")).isEqualTo(status);
            assertThat(condition.path("observedGeneration").asInt())
                    .isEqualTo(object.at("/metadata/generation").asInt());
        });
    }

    /** Waits until the Node has these taints, besides that of a Node whose kubelet has not reported yet. */
    void awaitTaints(String node, String... taints) {
        await("taints of " + node).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(taints(node)).containsExactlyInAnyOrder(taints));
    }

    List<String> taints(String node) {
        return Taints.on(nodeNow(node)).stream()
                .filter(taint -> !taint.equals("node.kubernetes.io/not-ready:NoSchedule")).toList();
    }

    AuditLog.Mark mark() {
        return controlPlane.audit().mark();
    }

    /** What the controller has sent to change Nodes. */
    List<AuditRequest> nodeWrites(AuditLog.Mark since) {
        return controlPlane.audit().since(since)
                .filter(request -> request.user().equals(HomeAccount.user("dedicated")) && request.isWrite()
                        && request.resource().startsWith("nodes"))
                .toList();
    }

    @Override
    public void close() {
        controlPlane.close();
    }

    private static JsonNode named(String name) {
        return Json.tree(Map.of("metadata", Map.of("name", name)));
    }
}
