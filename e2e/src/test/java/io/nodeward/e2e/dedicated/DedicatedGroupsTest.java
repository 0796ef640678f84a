package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What comes of groups that change, go, contradict each other or evict. Each test has Nodes and groups of its own. */
@Tag("deep")
class DedicatedGroupsTest {
    private static final String WHO = "'who':{'namespaces':['kiwi']}";

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.namespace("kiwi");
        suite.namespace("lemon");
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @BeforeEach
    void run() {
        nodeward = suite.run("--dedicated-noexecute-nodes-per-minute=6000");
    }

    @AfterEach
    void stop() {
        nodeward.close();
    }

    @Test
    void a_node_that_leaves_its_group_is_rid_of_all_of_it_in_one_write_and_of_nothing_else() {
        suite.node("leave-1", "pool=leave");
        suite.node("leave-2", "pool=leave");
        suite.node("stay", "pool=leave");
        taint("leave-1", "example.com/theirs=x:NoExecute");
        enforce("leave", "{'selector':{'matchLabels':{'pool':'leave'}}}", "leave", "'NoSchedule'");
        suite.awaitTaints("leave-1", "example.com/theirs=x:NoExecute", "dedicated=leave:NoSchedule");
        suite.awaitTaints("leave-2", "dedicated=leave:NoSchedule");
        assertThat(suite.condition("leave", "SelectorNotTrusted").path("status").asText()).isEqualTo("True");

        AuditLog.Mark mark = suite.mark();
        suite.admin().mergePatch(Fleet.nodePath("leave-1"), "{\"metadata\":{\"labels\":{\"pool\":null}}}");
        suite.awaitTaints("leave-1", "example.com/theirs=x:NoExecute");
        assertBare("leave-1");
        suite.change("leave", "{'nodes':{'selector':null,'names':['stay']}}");
        suite.awaitTaints("leave-2");
        assertBare("leave-2");
        awaitPatches(mark, "leave-1", "leave-2");
    }

    @Test
    void a_typo_takes_no_taint_away_and_the_group_says_so() {
        suite.node("typo");
        enforce("typo", "{'names':['typo']}", "typo", "'NoSchedule'");
        AuditLog.Mark mark = suite.mark();
        suite.change("typo", "{'nodes':{'names':['tpyo']},'exclusive':true}");
        suite.awaitCondition("typo", "Ready", "False");
        assertThat(suite.condition("typo", "Ready").path("reason").asText()).isEqualTo("LosesAllNodes");
        assertThat(suite.condition("typo", "FieldsNotInEffect").path("message").asText()).contains("spec.exclusive");
        awaitAllDecided("after-typo");
        awaitPatches(mark, "after-typo");
        suite.change("typo", "{'nodes':{'names':['tpyo','typo']}}");
        suite.awaitCondition("typo", "Ready", "True");
        suite.admin().delete(Fleet.nodePath("typo"));
        suite.change("typo", "{'nodes':{'names':['anywhere']}}");
        await("the edit").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.status("typo").at("/applied/nodes/names")).extracting(JsonNode::asText)
                .containsExactly("anywhere"));
    }

    @Test
    void a_group_that_is_deleted_leaves_nothing_behind_also_if_nobody_ran() {
        suite.node("gone-1");
        suite.node("gone-2");
        enforce("gone-1", "{'names':['gone-1']}", "gone", "'NoSchedule'");
        enforce("gone-2", "{'names':['gone-2']}", "gone", "'NoSchedule'");
        AuditLog.Mark mark = suite.mark();
        suite.admin().delete(suite.path("gone-1"));
        suite.awaitTaints("gone-1");
        nodeward.close();
        suite.admin().delete(suite.path("gone-2"));
        assertThat(suite.taints("gone-2")).containsExactly("dedicated=gone:NoSchedule");
        run();
        suite.awaitTaints("gone-2");
        assertBare("gone-1");
        assertBare("gone-2");
        awaitPatches(mark, "gone-1", "gone-2");
    }

    @Test
    void a_restart_writes_nothing() {
        suite.node("same");
        enforce("same", "{'names':['same']}", "same", "'NoSchedule'");
        String version = suite.admin().get(suite.path("same")).at("/metadata/resourceVersion").asText();
        nodeward.close();
        AuditLog.Mark mark = suite.mark();
        run();
        awaitAllDecided("later");
        awaitPatches(mark, "later");
        assertThat(suite.admin().get(suite.path("same")).at("/metadata/resourceVersion").asText())
                .isEqualTo(version);
    }

    @Test
    void of_two_groups_that_contradict_each_other_the_established_one_stays_and_both_tell() {
        suite.node("both-1", "pool=both");
        suite.node("both-2", "pool=other");
        enforce("z-first", "{'selector':{'matchLabels':{'pool':'both'}}}", "first", "'NoSchedule'");
        suite.declare("a-second", spec("{'names':['both-1','both-2']}", "second", "'NoSchedule'", "Enforce"));
        suite.awaitCondition("a-second", "Ready", "False");
        suite.awaitCondition("a-second", "Conflict", "True");
        assertThat(suite.condition("a-second", "Ready").path("message").asText()).contains("z-first", "both-1");
        suite.awaitCondition("z-first", "Conflict", "True");
        assertThat(suite.condition("z-first", "Ready").path("status").asText()).isEqualTo("True");
        assertThat(suite.taints("both-1")).containsExactly("dedicated=first:NoSchedule");
        assertThat(suite.taints("both-2")).isEmpty();

        // An edit that contradicts leaves in force what was in force before.
        suite.change("a-second", "{'nodes':{'names':['both-2']}}");
        suite.awaitTaints("both-2", "dedicated=second:NoSchedule");
        suite.awaitCondition("z-first", "Conflict", "False");
        suite.change("a-second", "{'nodes':{'names':['both-1','both-2']}}");
        suite.awaitCondition("a-second", "Conflict", "True");
        assertThat(suite.taints("both-2")).containsExactly("dedicated=second:NoSchedule");
        assertThat(suite.status("a-second").at("/applied/nodes/names")).extracting(JsonNode::asText)
                .containsExactly("both-2");

        suite.admin().delete(suite.path("z-first"));
        suite.awaitTaints("both-1", "dedicated=second:NoSchedule");
        assertThat(suite.taints("both-2")).containsExactly("dedicated=second:NoSchedule");
        suite.awaitCondition("a-second", "Ready", "True");
    }

    @Test
    void no_node_has_no_execute_even_for_a_moment_before_the_number_of_evictions_is_confirmed() {
        suite.node("evict");
        suite.pod("lemon", "victim-1", "evict", "[]");
        suite.pod("lemon", "victim-2", "evict", "[]");
        suite.pod("kiwi", "member", "evict", "[{\"key\":\"dedicated\",\"operator\":\"Exists\"}]");
        // In Audit, as the controller may see the group before the pods.
        suite.declare("evict", spec("{'names':['evict']}", "evict", "'NoSchedule','NoExecute'", "Audit"));
        await("the preview").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(names("evict", "evicted"))
                .containsExactly("lemon/victim-1", "lemon/victim-2"));
        AuditLog.Mark unconfirmed = suite.mark();
        suite.change("evict", "{'enforcement':'Enforce'}");
        suite.awaitTaints("evict", "dedicated=evict:NoSchedule");
        suite.awaitCondition("evict", "NoExecuteConfirmed", "False");
        assertThat(suite.condition("evict", "NoExecuteConfirmed").path("message").asText()).contains("2 pods");
        suite.change("evict", "{'confirmedPods':1}");
        suite.awaitCondition("evict", "NoExecuteConfirmed", "False");
        assertThat(suite.condition("evict", "Ready").path("reason").asText()).isEqualTo("NoExecuteNotConfirmed");
        awaitAllDecided("after-evict");
        assertThat(suite.taints("evict")).containsExactly("dedicated=evict:NoSchedule");
        awaitPatches(unconfirmed, "evict", "after-evict"); // one each: what had come and gone would be two

        AuditLog.Mark mark = suite.mark();
        suite.change("evict", "{'confirmedPods':2}");
        suite.awaitTaints("evict", "dedicated=evict:NoSchedule", "dedicated=evict:NoExecute");
        suite.awaitCondition("evict", "Ready", "True");
        awaitPatches(mark, "evict");

        // The number is taken back, and a Node that evicts nobody does not need one.
        suite.node("evict-late");
        suite.change("evict", "{'confirmedPods':null,'nodes':{'names':['evict','evict-late']}}");
        suite.awaitTaints("evict-late", "dedicated=evict:NoSchedule", "dedicated=evict:NoExecute");
        suite.awaitCondition("evict", "Ready", "True");
    }

    @Test
    void a_kubelet_that_claims_the_label_of_a_group_does_not_keep_it() {
        suite.node("claimed", "pool=claimed");
        suite.node("claimed-too", "pool=claimed");
        enforce("claimed", "{'selector':{'matchLabels':{'pool':'claimed'}}}", "claimed", "'NoSchedule'");
        suite.awaitTaints("claimed", "dedicated=claimed:NoSchedule");
        String label = suite.nodeNow("claimed").at("/metadata/labels").propertyStream()
                .map(Map.Entry::getKey).filter(key -> key.contains("dedicated")).findFirst().orElseThrow();
        try (AdminClient kubelet = suite.kubelet("claimed")) {
            assertThat(kubelet.send("PATCH", Fleet.nodePath("claimed"), AdminClient.MERGE_PATCH, """
                    {"metadata":{"annotations":{"cluster.x-k8s.io/labels-from-machine":"%s"}}}""".formatted(label))
                    .isOk()).isTrue();
        }
        suite.admin().mergePatch(Fleet.nodePath("claimed"), "{\"metadata\":{\"labels\":{\"pool\":null}}}");
        suite.awaitTaints("claimed");
        assertBare("claimed");
    }

    @Test
    void what_stands_in_for_no_execute_stays_while_somebody_elses_taint_keeps_that_off() {
        suite.node("kept-off");
        taint("kept-off", "dedicated=somebody:NoExecute");
        AuditLog.Mark mark = suite.mark();
        suite.declare("kept-off", spec("{'names':['kept-off']}", "kept-off", "'NoExecute'", "Enforce"));
        suite.awaitTaints("kept-off", "dedicated=somebody:NoExecute", "dedicated=kept-off:NoSchedule");
        await("the conflict").atMost(MachineSuite.PATIENCE).until(() -> suite.condition("kept-off", "Ready")
                .path("reason").asText().equals("TaintConflict"));
        for (int turn = 0; turn < 3; turn++) { // at 6,000 a minute a turn comes each 10 ms
            awaitAllDecided("after-kept-off-" + turn);
        }
        assertThat(suite.taints("kept-off"))
                .containsExactlyInAnyOrder("dedicated=somebody:NoExecute", "dedicated=kept-off:NoSchedule");
        assertThat(suite.nodeWrites(mark)).filteredOn(request -> request.name().equals("kept-off")).hasSize(1);
    }

    @Test
    void what_a_node_cannot_have_is_reported_by_the_group_and_by_an_event() {
        suite.node("taken");
        taint("taken", "dedicated=somebody:NoSchedule");
        suite.declare("taken", spec("{'names':['taken']}", "taken", "'NoSchedule'", "Enforce"));
        await("the Node's conflict").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            assertThat(suite.condition("taken", "Ready").path("reason").asText()).isEqualTo("TaintConflict");
            assertThat(suite.condition("taken", "Ready").path("message").asText()).startsWith("Node taken: ");
        });
        await("an Event").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.admin()
                .get("/api/v1/events?fieldSelector=involvedObject.kind=DedicatedNodes,involvedObject.name=taken")
                .path("items").valueStream())
                .anySatisfy(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("TaintConflict");
                    assertThat(event.path("message").asText()).contains("Node taken: ");
                }));
        assertThat(suite.taints("taken")).containsExactly("dedicated=somebody:NoSchedule");
    }

    private static String spec(String nodes, String value, String effects, String enforcement) {
        return "{'nodes':%s,%s,'taint':{'key':'dedicated','value':'%s','effects':[%s]},'enforcement':'%s'}"
                .formatted(nodes, WHO, value, effects, enforcement);
    }

    private static void enforce(String name, String nodes, String value, String effects) {
        suite.declare(name, spec(nodes, value, effects, "Enforce"));
        suite.awaitCondition(name, "Ready", "True");
    }

    /** Both loops take what was there before this Node and its group, and at a start all that there is, before them. */
    private void awaitAllDecided(String name) {
        suite.node(name);
        enforce(name, "{'names':['%s']}".formatted(name), name, "'NoSchedule'");
        nodeward.awaitIdle();
    }

    private static void taint(String node, String taint) {
        suite.admin().mergePatch(Fleet.nodePath(node), Taints.patch(taint));
    }

    private static List<String> names(String group, String sample) {
        return suite.status(group).at("/preview/" + sample + "/names").valueStream().map(JsonNode::asText).toList();
    }

    private static void assertBare(String node) {
        JsonNode metadata = suite.nodeNow(node).path("metadata");
        assertThat(metadata.path("annotations").propertyStream().filter(entry -> entry.getKey().contains("nodeward")))
                .isEmpty();
        assertThat(metadata.path("labels").propertyStream().filter(entry -> entry.getKey().contains("dedicated")))
                .isEmpty();
    }

    /** The server writes a line when it has answered. */
    private static void awaitPatches(AuditLog.Mark since, String... nodes) {
        await("patches").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.nodeWrites(since))
                .allMatch(request -> request.is("patch", "nodes") && request.code() == 200)
                .extracting(AuditRequest::name).containsExactlyInAnyOrder(nodes));
    }
}
