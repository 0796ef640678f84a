package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.home.HomeSuite;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The dedicated controller in a cluster of its own. */
final class DedicatedSuite extends HomeSuite {
    private static final String REGISTRATIONS = "/apis/admissionregistration.k8s.io/v1/";
    static final String MUTATING = REGISTRATIONS + "mutatingwebhookconfigurations/nodeward-dedicated";
    static final String VALIDATING = REGISTRATIONS + "validatingwebhookconfigurations/nodeward-dedicated";

    private final int port = Ports.free();

    /** @param apiServerFlags beside those that all suites have */
    DedicatedSuite(String... apiServerFlags) {
        super("dedicated", "DedicatedNodes", DedicatedNodes.DEFINITION, apiServerFlags);
    }

    /** With webhooks for pods, at a port where this server does not call it; returns when it is ready. */
    RunningNodeward runBeside(String... more) {
        return runForPodsAt(Ports.free(), "Ignore", more);
    }

    private RunningNodeward runForPodsAt(int address, String failurePolicy, String... more) {
        return run(Stream.concat(Stream.of("--feature-gates=DedicatedPodAdmission=true",
                "--dedicated-address=127.0.0.1:" + address, "--dedicated-service=https://127.0.0.1:" + port,
                "--dedicated-failure-policy=" + failurePolicy), Stream.of(more)).toArray(String[]::new));
    }

    /** With webhooks for pods, at the port where this server calls them; returns when it is ready. */
    RunningNodeward runWhereCalled(String... more) {
        return runForPodsAt(port, "Ignore", more);
    }

    /** With webhooks for pods, which this server can call; returns when it does. */
    RunningNodeward runForPods(String failurePolicy, String... more) {
        RunningNodeward nodeward = runForPodsAt(port, failurePolicy, more);
        await("the webhooks").atMost(MachineSuite.PATIENCE).until(
                () -> nodeward.metric("nodeward_dedicated_in_force") == 1
                        && Stream.of(MUTATING, VALIDATING)
                                .allMatch(webhook -> failurePolicy.equals(admin().find(webhook)
                                        .map(found -> found.at("/webhooks/0/failurePolicy").asText()).orElse(""))));
        return nodeward;
    }

    /** Gives the controller the rights that it needs besides for pods, and pods of the system what they need. */
    void grantPods() {
        grant("admission.yaml");
        grant("namespace.yaml");
        systemAccount();
    }

    /** Gives the controller the right to give pods that exist their toleration, and pods of the system what they need. */
    void grantTolerations() {
        grant("tolerations.yaml");
        systemAccount();
    }

    /** Gives the controller the right to evict pods. */
    void grantEvictions() {
        grant("evictions.yaml");
    }

    private void systemAccount() {
        admin().createIfAbsent("/api/v1/namespaces/kube-system/serviceaccounts",
                Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
    }

    /** The controller of Kubernetes that makes their pods. */
    LoggedProcess daemonSets() {
        return controlPlane().controllerManager(List.of("daemonset-controller"));
    }

    /** With webhooks, and tolerations for pods that exist; no Node waits for its turn for NoExecute. */
    RunningNodeward runAll() {
        return runForPods("Ignore", "--feature-gates=DedicatedPodTolerations=true",
                "--dedicated-noexecute-nodes-per-minute=6000");
    }

    /**
     * The controller of Kubernetes that deletes pods for taints, without the one that taints Nodes without heartbeats. It
     * finds the pods of a Node by an index that it does not make itself: the controller of DaemonSets does.
     */
    LoggedProcess evictions() {
        return controlPlane().controllerManager(List.of("taint-eviction-controller", "daemonset-controller"));
    }

    LoggedProcess scheduler() {
        return controlPlane().scheduler();
    }

    /** The pods that somebody has deleted. */
    Stream<AuditRequest> deleted(AuditLog.Mark since) {
        return audited(since).filter(request -> request.is("delete", "pods") && request.code() == 200);
    }

    /** The names in one part of the group's preview. */
    List<String> previewed(String group, String part) {
        return status(group).path("preview").path(part).path("names").valueStream().map(JsonNode::asText).toList();
    }

    /** Waits until a part of the group's preview has these names and no others. */
    void awaitPreviewed(String group, String part, String... names) {
        await(group + " " + part).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(previewed(group, part)).containsExactlyInAnyOrder(names));
    }

    /** @param spec of the pod besides its container, JSON with apostrophes for quotes and without braces */
    AdminClient.Reply post(String namespace, String name, String spec, String query) {
        return admin().send("POST", "/api/v1/namespaces/" + namespace + "/pods" + query, AdminClient.JSON, """
                {'metadata':{'name':'%s'},'spec':{'containers':[{'name':'c','image':'i'}],
                 'terminationGracePeriodSeconds':0,%s}}""".formatted(name, spec).replace('\'', '"'));
    }

    /** Empty if there is none. */
    Optional<JsonNode> find(String namespace, String pod) {
        return admin().find(podPath(namespace, pod));
    }

    static String podPath(String namespace, String pod) {
        return "/api/v1/namespaces/" + namespace + "/pods/" + pod;
    }

    /** One who may do what the kubelet of this Node may. */
    AdminClient kubelet(String node) {
        return as("system:node:" + node, "system:nodes");
    }

    /** One who may do anything under this name. */
    AdminClient user(String name) {
        return as(name, "system:masters");
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

    /** Waits until the Node has these taints, besides that of a Node whose kubelet has not reported yet. */
    void awaitTaints(String node, String... taints) {
        await("taints of " + node).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(taints(node)).containsExactlyInAnyOrder(taints));
    }

    List<String> taints(String node) {
        return Taints.on(nodeNow(node)).stream()
                .filter(taint -> !taint.equals("node.kubernetes.io/not-ready:NoSchedule")).toList();
    }

    /** What the controller has sent to change Nodes. */
    List<AuditRequest> nodeWrites(AuditLog.Mark since) {
        return writes(since, "nodes");
    }
}
