package io.nodeward.e2e.autoscaler;

import static io.nodeward.e2e.autoscaler.Groups.DEPLOYMENTS;
import static io.nodeward.e2e.autoscaler.Groups.POOLS;
import static io.nodeward.e2e.autoscaler.Groups.SETS;
import static io.nodeward.e2e.autoscaler.Groups.SIZES;
import static io.nodeward.e2e.autoscaler.Groups.TAINTS;
import static io.nodeward.e2e.autoscaler.Groups.TRACKING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What is advertised to the autoscaler on a real API server, who owns it there, and how many requests it takes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NodeGroupTest {
    private static final List<String> KINDS = List.of(DEPLOYMENTS, SETS, POOLS);
    private static final String CANARY = "canary";
    private static final String A = "example.com/a=1:NoSchedule";
    private static final String B = "example.com/b:NoExecute";
    private static final String C = "example.com/c=x:NoSchedule";

    private final MachineSuite suite = MachineSuite.in("node-groups");
    private final Groups groups = new Groups(suite);
    private RunningNodeward nodeward;

    @BeforeAll
    void start() {
        suite.cluster("c");
        suite.add(MachineCanary.in(suite, "c"));
        KINDS.forEach(kind -> groups.canary(kind, CANARY));
        nodeward = suite.start(Groups.GATES, "--blocked-after=1s");
    }

    @AfterAll
    void stop() {
        nodeward.close();
        groups.close();
        suite.close();
    }

    @Test
    void each_kind_is_told_for_one_request_whose_manager_owns_nothing_else() {
        for (String kind : KINDS) {
            AuditLog.Mark mark = suite.mark();
            groups.create(kind, "told", Groups.sizesAnd("taint.nodeward.io/c", C + ":OnInitialization"),
                    A + ":Always", B + ":OnInitialization");
            groups.awaitText(kind, "told", A + "," + B + "," + C);

            assertThat(groups.applied(kind, "told")).containsExactly(
                    "f:metadata f:annotations f:" + TAINTS, "f:metadata f:annotations f:" + TRACKING);
            assertThat(groups.writes(mark, kind, CANARY)).singleElement().satisfies(NodeGroupTest::assertApplied);
            AuditLog.Mark told = suite.mark();
            groups.declare(kind, "told", "example.com/a=2:NoSchedule:Always");
            groups.awaitText(kind, "told", "example.com/a=2:NoSchedule," + C);
            assertThat(groups.writes(told, kind, CANARY)).singleElement()
                    .satisfies(NodeGroupTest::assertApplied);
        }
    }

    private static void assertApplied(AuditRequest request) {
        assertThat(request.verb()).isEqualTo("patch");
        assertThat(request.code()).isEqualTo(200);
        assertThat(request.uri()).contains("fieldManager=nodeward-autoscaler", "force=true");
    }

    @Test
    void machine_sets_of_a_deployment_and_what_has_no_sizes_are_left_alone() {
        AuditLog.Mark mark = suite.mark();
        groups.create(DEPLOYMENTS, "plain", Map.of(), A + ":Always");
        groups.create(SETS, "owned", Map.of(), A + ":Always");
        groups.patch(SETS, "owned", Json.tree(Map.of("metadata", Map.of("annotations", SIZES, "ownerReferences",
                List.of(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "MachineDeployment", "name", "plain",
                        "uid", groups.get(DEPLOYMENTS, "plain").at("/metadata/uid").asText(),
                        "controller", true)))))
                .toString());

        assertThat(groups.writes(mark, DEPLOYMENTS, CANARY)).isEmpty();
        assertThat(groups.writes(mark, SETS, CANARY)).isEmpty();
        groups.patch(SETS, "owned", "{\"metadata\":{\"ownerReferences\":null}}");
        groups.awaitText(SETS, "owned", A);
    }

    @Test
    void what_is_declared_no_more_goes_and_what_users_wrote_stays() {
        groups.create(DEPLOYMENTS, "removed", SIZES, A + ":Always", B + ":Always");
        groups.awaitText(DEPLOYMENTS, "removed", A + "," + B);
        groups.annotate(DEPLOYMENTS, "removed", TAINTS, A + "," + B + ",mine=1:NoExecute, blank:NoSchedule");
        await("the Event").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.warnings("MachineDeployment", "removed")).anySatisfy(e -> {
                    assertThat(e.getKey()).isEqualTo("UnreadableCapacityEntry");
                    assertThat(e.getValue()).contains("\" blank:NoSchedule\"");
                }));

        groups.declare(DEPLOYMENTS, "removed", A + ":Always");
        groups.awaitText(DEPLOYMENTS, "removed", A + ",mine=1:NoExecute, blank:NoSchedule");
        groups.declare(DEPLOYMENTS, "removed");
        groups.awaitText(DEPLOYMENTS, "removed", "mine=1:NoExecute, blank:NoSchedule");
        assertThat(groups.annotation(DEPLOYMENTS, "removed", TRACKING)).isNull();
    }

    @Test
    void what_users_wrote_stays_whatever_characters_it_is_of() {
        String odd = "tab\there \u007f\u0085\u2028\ufeff\ufffe \u00e4\ud83d\ude00 \"\\";
        groups.create(DEPLOYMENTS, "odd", Groups.sizesAnd(TAINTS, odd), A + ":Always");

        groups.awaitText(DEPLOYMENTS, "odd", A + "," + odd);
        JsonNode blocked = await("the condition").atMost(MachineSuite.PATIENCE)
                .until(() -> groups.condition(DEPLOYMENTS, "odd"), c -> c.isPresent()).orElseThrow();
        assertThat(blocked.path("reason").asText()).isEqualTo("UnreadableCapacityEntry");
    }

    @Test
    void a_text_written_by_hand_is_taken_over_without_a_write() {
        AuditLog.Mark mark = suite.mark();
        groups.create(DEPLOYMENTS, "by-hand", Groups.sizesAnd(TAINTS, B + "," + A), A + ":Always", B + ":Always");
        assertThat(groups.writes(mark, DEPLOYMENTS, CANARY)).isEmpty();

        groups.declare(DEPLOYMENTS, "by-hand", A + ":Always", B + ":Always", C + ":Always");
        groups.awaitText(DEPLOYMENTS, "by-hand", A + "," + B + "," + C);
        assertThat(groups.annotation(DEPLOYMENTS, "by-hand", TRACKING)).isEqualTo(C);
        mark = suite.mark();
        groups.annotate(DEPLOYMENTS, "by-hand", TAINTS, C + "," + B + "," + A);
        assertThat(groups.writes(mark, DEPLOYMENTS, CANARY)).as("the same set").isEmpty();
        groups.declare(DEPLOYMENTS, "by-hand");
        groups.awaitText(DEPLOYMENTS, "by-hand", B + "," + A);
    }

    @Test
    void what_gitops_applies_is_left_to_it_and_taken_up_again_when_it_lets_go() {
        groups.create(DEPLOYMENTS, "gitops", SIZES, A + ":Always");
        groups.awaitText(DEPLOYMENTS, "gitops", A);
        AuditLog.Mark mark = suite.mark();
        groups.apply("gitops", DEPLOYMENTS, "gitops", Map.of(TAINTS, "mine:NoExecute"));
        JsonNode blocked = await("the condition").atMost(MachineSuite.PATIENCE)
                .until(() -> groups.condition(DEPLOYMENTS, "gitops"), c -> c.isPresent()).orElseThrow();
        assertThat(blocked.path("reason").asText()).isEqualTo("CapacityAppliedByOther");
        assertThat(blocked.path("message").asText()).contains("gitops", "set it there to: " + A + ",mine:NoExecute");
        assertThat(suite.warnings("MachineDeployment", "gitops")).singleElement()
                .satisfies(e -> assertThat(e.getKey()).isEqualTo("CapacityAppliedByOther"));
        assertThat(groups.writes(mark, DEPLOYMENTS, CANARY)).allMatch(r -> r.resource().endsWith("/status"));

        groups.apply("gitops", DEPLOYMENTS, "gitops", Map.of(TAINTS, A + ",mine:NoExecute"));
        await("its end").atMost(MachineSuite.PATIENCE).until(() -> groups.condition(DEPLOYMENTS, "gitops").isEmpty());
        groups.apply("gitops", DEPLOYMENTS, "gitops", Map.of());
        groups.awaitText(DEPLOYMENTS, "gitops", A);
    }

    @Tag("deep")
    @Test
    void managers_that_edit_the_annotations_meanwhile_lose_nothing_and_take_nothing_away() {
        int edits = 40;
        groups.create(DEPLOYMENTS, "edited", SIZES, A + ":Always");
        groups.awaitText(DEPLOYMENTS, "edited", A);
        AuditLog.Mark mark = suite.mark();
        try (MapEditors editors = new MapEditors(suite.admin(), groups.path(DEPLOYMENTS, "edited"), edits)) {
            for (int i = 1; i <= edits; i++) {
                groups.declare(DEPLOYMENTS, "edited", A + ":Always", "example.com/b=" + i + ":NoExecute:Always");
            }
            editors.await();
        }
        await("the last").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                groups.text(DEPLOYMENTS, "edited").split(",")).containsExactlyInAnyOrder(
                        A, "example.com/b=" + edits + ":NoExecute", MapEditors.entry(edits)));
        JsonNode annotations = groups.get(DEPLOYMENTS, "edited").at("/metadata/annotations");
        for (int i = 1; i <= edits; i++) {
            assertThat(annotations.path("example.com/patched-" + i).asText()).isEqualTo("yes");
            assertThat(annotations.path("example.com/put-" + i).asText()).isEqualTo("yes");
        }
        // Each declaration and each edit of the text may need one; all else is a write too many.
        assertThat(groups.writes(mark, DEPLOYMENTS, CANARY)).allMatch(r -> r.code() == 200 || r.code() == 409)
                .filteredOn(r -> r.code() == 200).hasSizeLessThanOrEqualTo(2 * edits);
        groups.declare(DEPLOYMENTS, "edited");
        groups.awaitText(DEPLOYMENTS, "edited", MapEditors.entry(edits));
    }
}
