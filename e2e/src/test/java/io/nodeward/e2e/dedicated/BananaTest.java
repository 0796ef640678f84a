package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The example of the proposal: the Nodes foo, bar and baz are for the pods of namespace banana alone, and who runs there
 * and does not tolerate the taint is evicted. A real scheduler places pods, and a real controller evicts them.
 */
class BananaTest {
    private static final List<String> NODES = List.of("foo", "bar", "baz");
    private static final String[] TAINTS = {"dedicated=banana:NoSchedule", "dedicated=banana:NoExecute"};
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";
    private static final String TOLERATING = "'tolerations':[{'key':'dedicated','value':'banana'}]";
    private static final String ANYTHING = "'tolerations':[{'operator':'Exists'}]";
    private static final String ON_THEM = "'nodeSelector':{'" + LABEL + "':'banana'}";
    private static final String RATHER_OTHER = """
            'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':100,
             'preference':{'matchExpressions':[{'key':'at','operator':'In','values':['other']}]}}]}}""";
    private static final String REFUSED = "admission webhook \"pods.dedicated.nodeward.io\" denied the request:"
            + " DedicatedNodes banana is for pods of namespace banana: ";
    /** Those that are there before, by namespace and name; all but the one with a nodeName are the scheduler's to place. */
    private static final Map<String, String> PODS = Map.of(
            "banana/runs", at("foo"),
            "cherry/stays", at("bar"),
            "cherry/put", "'nodeName':'baz'",
            "cherry/anywhere", at("foo") + "," + ANYTHING,
            "cherry/away", at("other"));

    private static DedicatedSuite suite;
    private static LoggedProcess scheduler;
    private static LoggedProcess evictions;
    private static RunningNodeward nodeward;

    private static String at(String node) {
        return "'nodeSelector':{'at':'" + node + "'}";
    }

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.grantTolerations();
        suite.namespace("banana");
        suite.namespace("cherry");
        NODES.forEach(node -> suite.readyNode(node, "at=" + node));
        suite.readyNode("other", "at=other");
        scheduler = suite.scheduler();
        evictions = suite.evictions();
        PODS.forEach((name, spec) -> assertThat(post(name, spec, "").isOk()).as(name).isTrue());
        nodeward = suite.runAll();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        evictions.close();
        scheduler.close();
        suite.close();
    }

    @Test
    void from_audit_to_enforce_and_back() {
        PODS.keySet().forEach(BananaTest::awaitPlaced);
        List<JsonNode> namespaces = namespaces();
        AuditLog.Mark start = suite.mark();
        suite.declare("banana", """
                {'nodes':{'names':['foo','bar','baz']},'who':{'namespaces':['banana']},'exclusive':true,
                 'taint':{'key':'dedicated','value':'banana','effects':['NoScheduleNoAdmitNoExecute']}}""");
        List<String> refused = audited(start);
        warned();
        AuditLog.Mark enforced = suite.mark();
        enforced(enforced);
        assertThat(PODS.entrySet().stream()
                .filter(pod -> post(pod.getKey() + "-again", pod.getValue(), "?dryRun=All").code() == 403)
                .map(Map.Entry::getKey)).as("whose like is refused").containsExactlyInAnyOrderElementsOf(refused);
        attempted();
        scheduled();
        refuseLabels();

        Map<String, JsonNode> kept = tolerations();
        assertThat(isTolerating()).isTrue();
        back();
        suite.change("banana", "{'enforcement':'Enforce'}");
        suite.awaitCondition("banana", "Ready", "True");
        suite.delete("banana");
        awaitClean();
        await("cherry may do as it likes").atMost(MachineSuite.PATIENCE)
                .until(() -> post("cherry/free", "'nodeName':'foo'," + TOLERATING, "?dryRun=All").isOk());
        assertThat(suite.deleted(enforced).map(BananaTest::name)).as("to the end")
                .containsExactlyInAnyOrder("cherry/put", "cherry/stays", "kube-system/canary");
        off();
        assertThat(tolerations()).as("the API lets nobody take them away").isEqualTo(kept);
        assertThat(namespaces()).isEqualTo(namespaces);
    }

    /** The gates for pods first, and that of the Nodes when no Node has anything. */
    private static void off() {
        nodeward.close();
        nodeward = suite.run();
        awaitNoWebhooks();
        assertThat(nodeward.metric("nodeward_dedicated_managed_nodes")).as("that of the other group").isEqualTo(1);
        suite.delete("later");
        await("no Node has anything").atMost(MachineSuite.PATIENCE)
                .until(() -> nodeward.metric("nodeward_dedicated_managed_nodes") == 0);
        nodeward.close();
        AuditLog.Mark off = suite.mark();
        nodeward = suite.runOff();
        awaitClean();
        suite.awaitTaints("later");
        awaitNoWebhooks();
        assertThat(suite.nodeWrites(off)).isEmpty();
        assertThat(suite.writes(off, "pods")).isEmpty();
    }

    private static void awaitNoWebhooks() {
        await("the webhooks are gone").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.admin().find(DedicatedSuite.MUTATING).isEmpty()
                        && suite.admin().find(DedicatedSuite.VALIDATING).isEmpty());
    }

    /** Returns whose like Enforce will refuse. */
    private static List<String> audited(AuditLog.Mark start) {
        suite.awaitCondition("banana", "Ready", "True");
        suite.awaitPreviewed("banana", "evicted", "cherry/put", "cherry/stays");
        suite.awaitPreviewed("banana", "refused", "cherry/anywhere", "cherry/put");
        assertThat(suite.previewed("banana", "cutOff")).containsExactly("cherry/put", "cherry/stays");
        assertThat(suite.previewed("banana", "withoutToleration")).containsExactly("banana/runs");
        assertThat(suite.previewed("banana", "wouldTaint")).containsExactly("bar", "baz", "foo");
        JsonNode audited = suite.status("banana");
        assertThat(audited.path("nodes").asInt()).isEqualTo(3);
        assertThat(audited.path("taintedNodes").asText()).as("there, and none").isEqualTo("0");
        assertThat(audited.path("pods").asInt()).isEqualTo(1);
        assertThat(audited.has("applied")).isFalse();
        awaitAllDecided(start);
        assertThat(suite.writes(start, "pods")).isEmpty();
        return suite.previewed("banana", "refused");
    }

    private static void warned() {
        suite.change("banana", "{'enforcement':'Warn'}");
        await("the member that exists").atMost(MachineSuite.PATIENCE).until(BananaTest::isTolerating);
        await("a warning").atMost(MachineSuite.PATIENCE).until(BananaTest::isWarned);
        NODES.forEach(node -> assertThat(suite.taints(node)).isEmpty());
    }

    private static boolean isWarned() {
        return post("cherry/tried", TOLERATING, "?dryRun=All").warnings().stream()
                .anyMatch(warning -> warning.contains("DedicatedNodes banana: Enforce will refuse this pod"));
    }

    private static void enforced(AuditLog.Mark since) {
        suite.change("banana", "{'enforcement':'Enforce'}");
        suite.awaitCondition("banana", "NoExecuteConfirmed", "False");
        List.of("bar", "baz").forEach(node -> suite.awaitTaints(node, TAINTS[0]));
        suite.change("banana", "{'confirmedPods':2}");
        suite.awaitCondition("banana", "Ready", "True");
        NODES.forEach(node -> {
            assertThat(suite.taints(node)).containsExactlyInAnyOrder(TAINTS);
            assertThat(suite.nodeNow(node).at("/metadata/labels").path(LABEL).asText()).isEqualTo("banana");
        });
        assertThat(suite.taints("other")).isEmpty();
        awaitPatches(since, List.of("foo", "bar", "bar", "baz", "baz"));
        assertThat(suite.status("banana").path("taintedNodes").asInt()).isEqualTo(3);
        // On foo two stay: when the controller deletes a third for the taint, it has decided on them.
        assertThat(post("kube-system/canary", "'nodeName':'foo'", "").isOk()).isTrue();
        await("evicted").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.deleted(since).map(BananaTest::name))
                .containsExactlyInAnyOrder("cherry/put", "cherry/stays", "kube-system/canary"));
        List.of("banana/runs", "cherry/anywhere", "cherry/away").forEach(BananaTest::awaitPlaced);
    }

    private static void attempted() {
        Map.of(TOLERATING, "spec.tolerations[0] tolerates its taint",
                ANYTHING, "spec.tolerations[0] tolerates its taint; later refuses it too",
                "'nodeName':'foo'", "spec.nodeName is its Node foo").forEach((attempt, why) -> {
                    AdminClient.Reply reply = post("cherry/attempt", attempt, "");
                    assertThat(reply.code()).as(attempt).isEqualTo(403);
                    assertThat(reply.body().path("message").asText()).isEqualTo(REFUSED + why);
                });
    }

    /** A member that would rather be elsewhere, a guest that wants onto its Nodes, and one that wants nothing. */
    private static void scheduled() {
        Map.of("banana/new", RATHER_OTHER, "cherry/wants", ON_THEM, "cherry/new", "'priority':0").forEach(
                (name, spec) -> assertThat(post(name, spec, "").isOk()).as(name).isTrue());
        assertThat(awaitPlaced("banana/new")).isIn(NODES);
        assertThat(awaitPlaced("cherry/new")).isEqualTo("other");
        await("a verdict").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                found("cherry/wants").at("/status/conditions").toString())
                .contains("Unschedulable", "node(s) had untolerated taint(s)"));
    }

    private static void back() {
        AuditLog.Mark back = suite.mark();
        suite.change("banana", "{'enforcement':'Warn'}");
        awaitClean();
        await("a warning").atMost(MachineSuite.PATIENCE).until(BananaTest::isWarned);
        suite.change("banana", "{'enforcement':'Audit'}");
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(suite.status("banana").has("applied")).isFalse();
        await("no warning").atMost(MachineSuite.PATIENCE)
                .until(() -> post("cherry/tried", TOLERATING, "?dryRun=All").warnings().isEmpty());
        nodeward.awaitIdle();
        awaitPatches(back, NODES);
    }

    private static void awaitClean() {
        NODES.forEach(node -> suite.awaitTaints(node));
        NODES.forEach(node -> {
            assertThat(suite.nodeNow(node).at("/metadata/labels").has(LABEL)).isFalse();
            assertThat(suite.nodeNow(node).path("metadata").has("annotations")).isFalse();
        });
    }

    /** The controller decides on a later Node after all that Audit concerns, and writes that one alone. */
    private static void awaitAllDecided(AuditLog.Mark since) {
        suite.node("later");
        suite.declare("later", """
                {'nodes':{'names':['later']},'who':{'namespaces':['later']},'enforcement':'Enforce',
                 'taint':{'key':'later','effects':['NoSchedule']}}""");
        suite.awaitCondition("later", "Ready", "True");
        nodeward.awaitIdle();
        awaitPatches(since, List.of("later"));
    }

    private static void awaitPatches(AuditLog.Mark since, List<String> nodes) {
        // The server writes a line when it has answered.
        await().atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.nodeWrites(since))
                .allMatch(request -> request.is("patch", "nodes") && request.code() == 200)
                .extracting(AuditRequest::name).containsExactlyInAnyOrderElementsOf(nodes));
    }

    /** A stolen kubelet does not get into the group by what its Nodes get, whatever that is. */
    private static void refuseLabels() {
        List<String> given = suite.nodeNow("foo").at("/metadata/labels").propertyStream().map(Map.Entry::getKey)
                .filter(label -> label.contains("dedicated")).toList();
        assertThat(given).isNotEmpty();
        try (AdminClient kubelet = suite.kubelet("other")) {
            assertThat(label(kubelet, "pool").code()).as("of its own Node").isEqualTo(200);
            assertThat(given).allSatisfy(label -> {
                AdminClient.Reply refused = label(kubelet, label);
                assertThat(refused.code()).as(label).isEqualTo(403);
                assertThat(refused.body().path("message").asText()).contains(label);
            });
        }
    }

    private static AdminClient.Reply label(AdminClient kubelet, String label) {
        return kubelet.send("PATCH", Fleet.nodePath("other"), AdminClient.MERGE_PATCH,
                "{\"metadata\":{\"labels\":{\"%s\":\"banana\"}}}".formatted(label));
    }

    private static AdminClient.Reply post(String name, String spec, String query) {
        int slash = name.indexOf('/');
        return suite.post(name.substring(0, slash), name.substring(slash + 1), spec, query);
    }

    private static JsonNode found(String name) {
        return suite.admin().get("/api/v1/namespaces/" + name.replace("/", "/pods/"));
    }

    /** Returns its Node. */
    private static String awaitPlaced(String name) {
        await(name + " is placed").atMost(MachineSuite.PATIENCE).until(() -> found(name).path("spec").has("nodeName"));
        return found(name).at("/spec/nodeName").asText();
    }

    private static boolean isTolerating() {
        return found("banana/runs").at("/spec/tolerations").valueStream()
                .anyMatch(toleration -> toleration.path("value").asText().equals("banana"));
    }

    /** Of each pod, by namespace and name. */
    private static Map<String, JsonNode> tolerations() {
        return suite.admin().get("/api/v1/pods").path("items").valueStream().collect(Collectors.toMap(
                pod -> pod.at("/metadata/namespace").asText() + "/" + pod.at("/metadata/name").asText(),
                pod -> pod.at("/spec/tolerations")));
    }

    private static List<JsonNode> namespaces() {
        return suite.admin().get("/api/v1/namespaces").path("items").valueStream().toList();
    }

    private static String name(AuditRequest request) {
        return request.namespace() + "/" + request.name();
    }
}
