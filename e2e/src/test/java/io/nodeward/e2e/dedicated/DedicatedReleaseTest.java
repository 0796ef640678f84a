package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Mistakes that would take the taint of a group off many Nodes, with default flags. Each test has Nodes and groups of its own. */
class DedicatedReleaseTest {
    private static final int COUNT = 20;
    /** The first Node loses its taint a minute after the edit. */
    private static final Duration FIRST = Duration.ofMinutes(1);

    private static DedicatedSuite suite;
    private RunningNodeward nodeward;

    @BeforeAll
    static void startCluster() {
        suite = new DedicatedSuite();
        suite.namespace("kiwi");
    }

    @AfterAll
    static void stopCluster() {
        suite.close();
    }

    @BeforeEach
    void run() {
        nodeward = suite.run();
    }

    @AfterEach
    void stop() {
        nodeward.close();
    }

    @Test
    void an_edit_from_twenty_names_to_one_takes_no_taint_while_it_may_be_put_back() {
        enforce("names");
        AuditLog.Mark mark = suite.mark();
        suite.change("names", "{'nodes':{'names':['names-0']}}");
        awaitReleasing("names", "19 of 19 Nodes");
        assertThat(suite.condition("names", "Ready").path("message").asText())
                .contains("The rest of the edit waits until then", "--dedicated-release-nodes-per-minute");
        assertThat(suite.status("names").at("/applied/nodes/names")).hasSize(COUNT);
        nothingHappens(mark, "after-names");
        suite.change("names", "{'nodes':{'names':[%s]}}".formatted(names("names")));
        suite.awaitCondition("names", "Ready", "True");
        nothingHappens(mark, "after-all");
    }

    @Test
    void enforcement_that_a_manifest_leaves_out_takes_no_taint_while_it_may_be_put_back() {
        enforce("mode");
        AuditLog.Mark mark = suite.mark();
        suite.change("mode", "{'enforcement':null}");
        awaitReleasing("mode", "20 of 20 Nodes");
        nothingHappens(mark, "after-mode");
        suite.change("mode", "{'enforcement':'Enforce'}");
        suite.awaitCondition("mode", "Ready", "True");
    }

    @Test
    void a_status_that_is_emptied_while_a_group_in_audit_releases_is_written_again_and_takes_no_taint() {
        enforce("emptied");
        AuditLog.Mark mark = suite.mark();
        suite.change("emptied", "{'enforcement':'Audit'}");
        awaitReleasing("emptied", "20 of 20 Nodes");
        suite.admin().mergePatch(suite.path("emptied") + "/status", "{\"status\":null}");
        awaitReleasing("emptied", "20 of 20 Nodes");
        assertThat(suite.status("emptied").at("/applied/nodes/names")).hasSize(COUNT);
        nothingHappens(mark, "after-emptied");
        suite.change("emptied", "{'enforcement':'Enforce'}");
        suite.awaitCondition("emptied", "Ready", "True");
        nothingHappens(mark, "after-emptied-again");
    }

    @Test
    void a_group_that_is_deleted_is_announced_and_goes_on_when_it_is_created_again() {
        enforce("gone");
        AuditLog.Mark mark = suite.mark();
        suite.admin().delete(suite.path("gone"));
        await("an Event").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.admin()
                .get("/api/v1/events?fieldSelector=involvedObject.kind=DedicatedNodes,involvedObject.name=gone")
                .path("items").valueStream()).anySatisfy(event -> {
                    assertThat(event.path("reason").asText()).isEqualTo("Releasing");
                    assertThat(event.path("message").asText()).contains("was deleted", "20 of 20 Nodes",
                            "nodeward pause");
                }));
        await("the metric").atMost(MachineSuite.PATIENCE)
                .until(() -> nodeward.metric("nodeward_dedicated_release_waiting") == COUNT);
        nothingHappens(mark, "after-gone");
        suite.declare("gone", spec("gone"));
        suite.awaitCondition("gone", "Ready", "True");
        await("the end of the release").atMost(MachineSuite.PATIENCE)
                .until(() -> nodeward.metric("nodeward_dedicated_release_waiting") == 0);
        nothingHappens(mark, "after-again");
    }

    @Test
    void a_group_that_is_replaced_or_restored_without_its_status_keeps_its_nodes() {
        enforce("status");
        nodeward.close();
        suite.admin().delete(suite.path("status"));
        suite.declare("status", spec("status"));
        AuditLog.Mark mark = suite.mark();
        run();
        suite.awaitCondition("status", "Ready", "True");
        nothingHappens(mark, "after-status");
    }

    @Test
    void nodes_of_a_group_that_was_deleted_while_nobody_ran_keep_their_taint_while_it_may_be_created_again() {
        enforce("sweep");
        nodeward.close();
        suite.admin().delete(suite.path("sweep"));
        AuditLog.Mark mark = suite.mark();
        run();
        await("the metric").atMost(MachineSuite.PATIENCE)
                .until(() -> nodeward.metric("nodeward_dedicated_release_waiting") == COUNT);
        nothingHappens(mark, "after-sweep");
        suite.declare("sweep", spec("sweep"));
        suite.awaitCondition("sweep", "Ready", "True");
        nothingHappens(mark, "after-sweep-again");
    }

    @Test
    @Tag("deep")
    void in_the_end_all_nodes_lose_the_taint_in_one_write_each() {
        nodeward.close();
        nodeward = suite.run("--dedicated-release-nodes-per-minute=600");
        enforce("end");
        AuditLog.Mark mark = suite.mark();
        suite.admin().delete(suite.path("end"));
        await("the end").atMost(FIRST.plus(MachineSuite.PATIENCE))
                .untilAsserted(() -> assertThat(suite.nodeWrites(mark))
                        .allMatch(request -> request.is("patch", "nodes") && request.code() == 200)
                        .extracting(AuditRequest::name).containsExactlyInAnyOrderElementsOf(
                                IntStream.range(0, COUNT).mapToObj(i -> "end-" + i).toList()));
        IntStream.range(0, COUNT).forEach(i -> assertThat(suite.taints("end-" + i)).isEmpty());
    }

    private static String names(String group) {
        return IntStream.range(0, COUNT).mapToObj(i -> "'" + group + "-" + i + "'").collect(Collectors.joining(","));
    }

    private static String spec(String group) {
        return "{'nodes':{'names':[%s]},'who':{'namespaces':['kiwi']},'taint':{'key':'dedicated','value':'%s','effects':['NoSchedule']},'enforcement':'Enforce'}"
                .formatted(names(group), group);
    }

    private static void enforce(String group) {
        IntStream.range(0, COUNT).forEach(i -> suite.node(group + "-" + i));
        suite.declare(group, spec(group));
        suite.awaitCondition(group, "Ready", "True");
    }

    private static void awaitReleasing(String group, String count) {
        await("Releasing").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            assertThat(suite.condition(group, "Ready").path("reason").asText()).isEqualTo("Releasing");
            assertThat(suite.condition(group, "Ready").path("message").asText()).contains(count, "nodeward pause");
        });
    }

    /** Both loops have taken all that was there before this Node and its group; they wrote no Node but such ones. */
    private void nothingHappens(AuditLog.Mark since, String canary) {
        suite.node(canary);
        suite.declare(canary, """
                {'nodes':{'names':['%1$s']},'who':{'namespaces':['kiwi']},'enforcement':'Enforce',
                 'taint':{'key':'dedicated','value':'%1$s','effects':['NoSchedule']}}""".formatted(canary));
        suite.awaitCondition(canary, "Ready", "True");
        nodeward.awaitIdle();
        await("the canary").atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.nodeWrites(since)).extracting(AuditRequest::name).contains(canary));
        assertThat(suite.nodeWrites(since)).extracting(AuditRequest::name).allMatch(name -> name.startsWith("after-"));
    }
}
