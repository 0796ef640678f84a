package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the proposal says may evict a pod, with the real controller that does: a taint that is added or changed, a toleration
 * that is removed or changed. Each test has a group, with a Node, a namespace of members and one of guests.
 */
@Tag("deep")
class DedicatedEvictionTest {
    private static DedicatedSuite suite;
    private static LoggedProcess evictions;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.grantPods();
        suite.grantTolerations();
        evictions = suite.evictions();
        nodeward = suite.runAll();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        evictions.close();
        suite.close();
    }

    @Test
    void a_taint_that_is_added_evicts_whom_the_preview_named_at_once_or_later() {
        prepare("apple");
        pod("guests-apple", "stranger", "apple", "");
        pod("guests-apple", "briefly", "apple", tolerating("apple", 1));
        pod("guests-apple", "forever", "apple", "'key':'dedicated','value':'apple'");
        pod("apple", "member", "apple", "");
        AuditLog.Mark start = suite.mark();
        enforce("apple", "guests-apple/briefly", "guests-apple/stranger");
        awaitDeleted(start, "guests-apple/briefly", "guests-apple/stranger");
        assertStays("guests-apple", "forever");
        assertStays("apple", "member");
    }

    @Test
    void a_value_that_is_changed_evicts_who_tolerates_the_old_one_and_no_member() {
        prepare("pear");
        pod("guests-pear", "old", "pear", "'key':'dedicated','value':'pear'");
        pod("pear", "member", "pear", "");
        enforce("pear");
        assertStays("guests-pear", "old");
        AuditLog.Mark edit = suite.mark();
        suite.change("pear", "{'taint':{'value':'green'}}");
        suite.awaitCondition("pear", "NoExecuteConfirmed", "False");
        assertThat(suite.condition("pear", "NoExecuteConfirmed").path("message").asText())
                .matches("1 pods? would be evicted; to confirm, set spec\\.confirmedPods to 1");
        assertThat(suite.previewed("pear", "evicted")).containsExactly("guests-pear/old");
        assertStays("guests-pear", "old");
        suite.change("pear", "{'confirmedPods':1}");
        suite.awaitTaints("node-pear", "dedicated=green:NoSchedule", "dedicated=green:NoExecute");
        awaitDeleted(edit, "guests-pear/old");
        // The controller that evicts has decided on the member before it sees this one.
        pod("kube-system", "canary-pear", "pear", "");
        awaitDeleted(edit, "guests-pear/old", "kube-system/canary-pear");
        assertStays("pear", "member");
    }

    @Test
    void a_toleration_cannot_be_removed_so_that_nobody_is_evicted_for_that() {
        prepare("plum");
        pod("plum", "member", "plum", "");
        AuditLog.Mark start = suite.mark();
        enforce("plum");
        JsonNode tolerations = suite.find("plum", "member").orElseThrow().at("/spec/tolerations");
        assertThat(tolerations.toString()).contains("plum");
        AdminClient.Reply removed = suite.admin().send("PATCH", DedicatedSuite.podPath("plum", "member"),
                AdminClient.MERGE_PATCH, "{\"spec\":{\"tolerations\":[]}}");
        assertThat(removed.code()).as("" + removed.body()).isEqualTo(422);
        assertThat(removed.body().path("message").asText())
                .contains("existing toleration can not be modified except its tolerationSeconds");
        // It evicts the next stranger on this Node, and has seen the member before.
        pod("kube-system", "canary-plum", "plum", "");
        awaitDeleted(start, "kube-system/canary-plum");
        assertThat(suite.find("plum", "member").orElseThrow().at("/spec/tolerations")).isEqualTo(tolerations);
    }

    /** That the timer of a pod goes on as it began is what the controller of Kubernetes does. */
    @Test
    void tolerated_seconds_that_are_changed_neither_hasten_nor_put_off_what_has_begun() {
        prepare("quince");
        pod("guests-quince", "shortened", "quince", tolerating("quince", 3600));
        pod("kube-system", "lengthened", "quince", tolerating("quince", 8));
        AuditLog.Mark start = suite.mark();
        enforce("quince", "guests-quince/shortened", "kube-system/lengthened");
        assertThat(seconds("guests-quince", "shortened", 1, "").isOk()).isTrue();
        assertThat(seconds("kube-system", "lengthened", 3600, "").isOk()).as("of the system").isTrue();
        await("refused to guests").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            AdminClient.Reply longer = seconds("guests-quince", "shortened", 7200, "?dryRun=All");
            assertThat(longer.code()).isEqualTo(403);
            assertThat(longer.body().path("message").asText())
                    .contains("DedicatedNodes quince is for pods of namespace");
        });
        awaitDeleted(start, "kube-system/lengthened");
        assertStays("guests-quince", "shortened");
        List<AuditRequest> all = suite.audited(start).toList();
        assertThat(at(all, "patch", "shortened").plusSeconds(2)).as("long enough ago")
                .isBefore(at(all, "delete", "lengthened"));
        assertThat(at(all, "patch", "lengthened")).isBefore(at(all, "delete", "lengthened"));
    }

    private static Instant at(List<AuditRequest> all, String verb, String pod) {
        return all.stream().filter(request -> request.is(verb, "pods") && request.name().equals(pod)
                && request.code() == 200).map(AuditRequest::at).findFirst().orElseThrow();
    }

    private static void prepare(String group) {
        suite.namespace(group);
        suite.namespace("guests-" + group);
        suite.node("node-" + group);
        suite.declare(group, """
                {'nodes':{'names':['node-%1$s']},'who':{'namespaces':['%1$s']},
                 'taint':{'key':'dedicated','value':'%1$s','effects':['NoScheduleNoAdmitNoExecute']}}"""
                .formatted(group));
    }

    /** @param toleration empty for none */
    private static void pod(String namespace, String name, String group, String toleration) {
        AdminClient.Reply made = suite.post(namespace, name, "'nodeName':'node-" + group + "','tolerations':["
                + (toleration.isEmpty() ? "" : "{" + toleration + "}") + "]", "");
        assertThat(made.isOk()).as("" + made.body()).isTrue();
    }

    private static String tolerating(String value, int seconds) {
        return "'key':'dedicated','value':'" + value + "','effect':'NoExecute','tolerationSeconds':" + seconds;
    }

    /** Confirms what the preview says, which has to be this. */
    private static void enforce(String group, String... evicted) {
        suite.awaitCondition(group, "Ready", "True");
        suite.awaitPreviewed(group, "evicted", evicted);
        suite.change(group, "{'enforcement':'Enforce'"
                + (evicted.length > 0 ? ",'confirmedPods':" + evicted.length : "") + "}");
        suite.awaitTaints("node-" + group, "dedicated=" + group + ":NoSchedule", "dedicated=" + group + ":NoExecute");
    }

    private static AdminClient.Reply seconds(String namespace, String pod, int seconds, String query) {
        return suite.admin().send("PATCH", DedicatedSuite.podPath(namespace, pod) + query, AdminClient.JSON_PATCH,
                "[{\"op\":\"replace\",\"path\":\"/spec/tolerations/0/tolerationSeconds\",\"value\":" + seconds + "}]");
    }

    private static void awaitDeleted(AuditLog.Mark since, String... pods) {
        await("deleted").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.deleted(since)
                .map(request -> request.namespace() + "/" + request.name())).containsExactlyInAnyOrder(pods));
    }

    private static void assertStays(String namespace, String pod) {
        assertThat(suite.find(namespace, pod)).as(pod).isPresent();
    }
}
