package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Drift of what a Machine declares is fixed, each with one write; what others declare stays. */
class DriftTest extends InRunningController {
    private static final String OWNED = "example.com/owned=v:NoSchedule";
    private static final String TRACKED = "example.com/owned:NoSchedule";
    private static final String LABEL = "node-restriction.kubernetes.io/tier";

    DriftTest() {
        super("drift");
    }

    @Test
    void a_taint_that_is_removed_by_hand_comes_back() {
        pair("drift-removed");
        witness.onePatch("drift-removed", () -> kubectl("taint", "node", "drift-removed", TRACKED + "-"));
        assertThat(Taints.on(suite.node("drift-removed"))).containsExactly(OWNED);
    }

    @Test
    void a_value_that_is_changed_without_a_lock_is_set_back() {
        pair("drift-value");
        witness.onePatch("drift-value", () -> kubectl(
                "taint", "--overwrite", "node", "drift-value", "example.com/owned=other:NoSchedule"));
        assertThat(Taints.on(suite.node("drift-value"))).containsExactly(OWNED);
    }

    @Test
    void a_whole_list_that_is_replaced_by_another_actor_keeps_what_that_actor_put_there() {
        pair("drift-list");
        witness.onePatch("drift-list", () -> patchNode("drift-list", Taints.patch("example.com/theirs:NoExecute")));
        assertThat(Taints.on(suite.node("drift-list"))).containsExactly("example.com/theirs:NoExecute", OWNED);
    }

    @Test
    void a_label_that_is_changed_or_removed_by_hand_comes_back() {
        pair("drift-label");
        witness.onePatch("drift-label", () -> kubectl("label", "--overwrite", "node", "drift-label", LABEL + "=other"));
        assertThat(label("drift-label", LABEL)).isEqualTo("gold");
        witness.onePatch("drift-label", () -> kubectl("label", "node", "drift-label", LABEL + "-"));
        assertThat(label("drift-label", LABEL)).isEqualTo("gold");
    }

    @Test
    void a_lost_tracking_annotation_counts_as_a_new_registration() {
        witness.pair(machine(
                "drift-lost", "example.com/owned=v:NoSchedule:Always", "example.com/once:NoSchedule:OnInitialization"));
        kubectl("taint", "node", "drift-lost", "example.com/once:NoSchedule-");
        AuditRequest patch =
                witness.onePatch("drift-lost", () -> patchNode("drift-lost", annotations(Taints.TRACKING, null)));
        assertThat(patch.written().path("metadata").path("annotations").path(Taints.TRACKING).asText())
                .isEqualTo(TRACKED);
        assertThat(Taints.on(suite.node("drift-lost"))).containsExactly(OWNED, "example.com/once:NoSchedule");
    }

    @Test
    void a_lost_label_tracking_annotation_is_written_again() {
        pair("drift-tracking");
        AuditRequest patch = witness.onePatch("drift-tracking",
                () -> patchNode("drift-tracking", annotations("cluster.x-k8s.io/labels-from-machine", null)));
        assertThat(patch.written().path("metadata").path("annotations"))
                .isEqualTo(Json.parse("{\"cluster.x-k8s.io/labels-from-machine\":\"" + LABEL + "\"}"));
    }

    @Test
    void a_malformed_tracking_entry_is_dropped_with_a_warning_and_the_rest_goes_on() {
        pair("drift-malformed");
        List<AuditRequest> requests = witness.requests(List.of("drift-malformed"), () -> {
            patchNode("drift-malformed", annotations(Taints.TRACKING, "no colon here," + TRACKED + ",a:b:c"));
        });
        assertThat(requests).filteredOn(r -> r.resource().equals("nodes")).singleElement()
                .satisfies(patch -> assertThat(patch.written().path("metadata").path("annotations"))
                        .isEqualTo(Json.parse("{\"" + Taints.TRACKING + "\":\"" + TRACKED + "\"}")));
        assertThat(suite.warnings("Machine", "drift-malformed")).singleElement().satisfies(warning -> {
            assertThat(warning.getKey()).isEqualTo("MalformedTracking");
            assertThat(warning.getValue())
                    .contains("drift-malformed", "\"no colon here\"", "\"a:b:c\"", Taints.TRACKING);
        });
        declare("drift-malformed");
        assertThat(Taints.on(suite.node("drift-malformed"))).isEmpty();
    }

    @Test
    void a_tracking_entry_that_somebody_added_is_believed() {
        pair("drift-added");
        witness.onePatch("drift-added", () -> patchNode("drift-added", Json.tree(Map.of(
                "metadata", Map.of("annotations", Map.of(Taints.TRACKING, TRACKED + ",example.com/theirs:NoExecute")),
                "spec", Map.of("taints", Taints.json(OWNED, "example.com/theirs:NoExecute")))).toString()));
        assertThat(Taints.on(suite.node("drift-added"))).containsExactly(OWNED);
    }

    private void pair(String name) {
        witness.pair(machine(name, OWNED + ":Always").withLabels(Map.of(LABEL, "gold")));
    }

    private void kubectl(String... arguments) {
        suite.controlPlane().kubectl().run(arguments).orThrow("kubectl");
    }
}
