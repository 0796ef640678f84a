package io.nodeward.e2e.machine;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that come and go, Machines that go, and taints that were there before. */
class NodeLifecycleTest extends InRunningController {
    private static final String ONCE = "example.com/once:NoSchedule";
    private static final String ALWAYS = "example.com/always:NoSchedule";
    private static final String ROLE = "node-role.kubernetes.io/edge";

    NodeLifecycleTest() {
        super("lifecycle");
    }

    @Test
    void a_node_that_was_deleted_and_registers_again_gets_both_kinds_and_the_labels_again() {
        witness.pair(machine("lifecycle-again", ONCE + ":OnInitialization", ALWAYS + ":Always")
                .withLabels(Map.of(ROLE, "")));
        suite.controlPlane().kubectl().run("taint", "node", "lifecycle-again", ONCE + "-").orThrow("kubectl taint");
        String uid = suite.node("lifecycle-again").path("metadata").path("uid").asText();
        witness.nothing(() -> suite.admin().delete(Fleet.nodePath("lifecycle-again")));

        AuditRequest patch = witness.onePatch("lifecycle-again", () -> register("lifecycle-again"));
        assertThat(patch.written().path("spec").path("taints").findValuesAsText("key")).containsExactlyInAnyOrder(
                "node.kubernetes.io/not-ready", "example.com/once", "example.com/always");
        JsonNode again = suite.node("lifecycle-again");
        assertThat(again.path("metadata").path("uid").asText()).isNotEqualTo(uid);
        assertThat(Taints.on(again)).contains(ONCE, ALWAYS).doesNotContain(UNINITIALIZED);
        assertThat(label("lifecycle-again", ROLE)).isEmpty();
    }

    @Test
    void a_machine_that_is_being_deleted_keeps_its_node_as_declared_until_it_is_gone() {
        witness.pair(machine("lifecycle-deleting", ALWAYS + ":Always"));
        patchMachine("lifecycle-deleting", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        witness.nothing(() -> suite.admin().delete(suite.fleet().machinePath("lifecycle-deleting")));
        assertThat(suite.machine("lifecycle-deleting").path("metadata").has("deletionTimestamp")).isTrue();

        declare("lifecycle-deleting", ALWAYS + ":Always", "example.com/draining:NoExecute:Always");
        witness.onePatch("lifecycle-deleting", () -> suite.controlPlane().kubectl()
                .run("taint", "node", "lifecycle-deleting", ALWAYS + "-").orThrow("kubectl taint"));
        assertThat(Taints.on(suite.node("lifecycle-deleting")))
                .containsExactlyInAnyOrder(ALWAYS, "example.com/draining:NoExecute");

        witness.nothing(() -> patchMachine("lifecycle-deleting", "{\"metadata\":{\"finalizers\":null}}"));
        assertThat(suite.admin().find(suite.fleet().machinePath("lifecycle-deleting"))).isEmpty();
        JsonNode left = suite.node("lifecycle-deleting");
        assertThat(Taints.on(left)).containsExactlyInAnyOrder(ALWAYS, "example.com/draining:NoExecute");
        assertThat(Taints.tracking(left)).isEqualTo("example.com/always:NoSchedule,example.com/draining:NoExecute");
    }

    @Test
    void a_taint_that_was_there_is_adopted_by_always_and_goes_with_it() {
        AuditRequest patch = witness.pair(
                Taints.register(NodeSpec.named("lifecycle-adopt"), "example.com/always=kubelet:NoSchedule"),
                machine("lifecycle-adopt", "example.com/always=kubelet:NoSchedule:Always"));
        assertThat(patch.written().has("spec")).isFalse();
        assertThat(Taints.tracking(suite.node("lifecycle-adopt"))).isEqualTo(ALWAYS);
        declare("lifecycle-adopt");
        assertThat(Taints.on(suite.node("lifecycle-adopt"))).isEmpty();
    }

    @Test
    void a_taint_that_was_there_with_another_value_gets_the_machines_value_in_its_place() {
        witness.pair(
                Taints.register(
                        NodeSpec.named("lifecycle-value"),
                        "example.com/always=kubelet:NoSchedule",
                        "x.example.com/y:NoExecute"),
                machine("lifecycle-value", "example.com/always=machine:NoSchedule:Always"));
        assertThat(Taints.on(suite.node("lifecycle-value")))
                .containsExactly("example.com/always=machine:NoSchedule", "x.example.com/y:NoExecute");
    }

    @Test
    void a_taint_that_was_there_is_not_adopted_by_on_initialization() {
        witness.pair(
                Taints.register(NodeSpec.named("lifecycle-once"), ONCE),
                machine("lifecycle-once", ONCE + ":OnInitialization"));
        assertThat(Taints.tracking(suite.node("lifecycle-once"))).isEmpty();
        witness.nothing(() -> patchMachine("lifecycle-once", Taints.patch()));
        assertThat(Taints.on(suite.node("lifecycle-once"))).containsExactly(ONCE);
    }

    @Test
    void a_foreign_taint_with_the_time_it_was_added_survives_every_write() {
        String foreign = """
                {"key":"example.com/f","value":"v","effect":"NoExecute","timeAdded":"2026-01-02T03:04:05Z"}""";
        witness.pair(machine("lifecycle-time", ALWAYS + ":Always"));
        witness.nothing(() -> suite.admin().jsonPatch(
                Fleet.nodePath("lifecycle-time"),
                "[{\"op\":\"add\",\"path\":\"/spec/taints/0\",\"value\":" + foreign + "}]"));
        declare("lifecycle-time", ALWAYS + ":Always", "example.com/more:NoSchedule:Always");
        declare("lifecycle-time");
        assertThat(suite.node("lifecycle-time").path("spec").path("taints")).isEqualTo(Json.parse("[" + foreign + "]"));
    }

    @Test
    void a_machine_that_learns_its_provider_id_later_finds_its_node_then() {
        suite.fleet().node(NodeSpec.named("lifecycle-id").uninitialized());
        witness.nothing(() -> suite.fleet().machine(machine("lifecycle-id", ALWAYS + ":Always").withProviderId("")));
        witness.onePatch("lifecycle-id", () -> patchMachine(
                "lifecycle-id", "{\"spec\":{\"providerID\":\"" + Fleet.providerId("lifecycle-id") + "\"}}"));
        assertThat(Taints.on(suite.node("lifecycle-id"))).containsExactly(ALWAYS);
    }

    @Test
    void a_node_that_learns_its_provider_id_later_is_found_then() {
        suite.fleet().node(NodeSpec.named("lifecycle-cloud").withProviderId("").uninitialized());
        witness.nothing(() -> suite.fleet().machine(machine("lifecycle-cloud", ALWAYS + ":Always")));
        witness.onePatch("lifecycle-cloud", () -> patchNode(
                "lifecycle-cloud", "{\"spec\":{\"providerID\":\"" + Fleet.providerId("lifecycle-cloud") + "\"}}"));
        assertThat(Taints.on(suite.node("lifecycle-cloud"))).containsExactly(ALWAYS);
    }

    // In one request, as a kubelet does it: what comes with its status would be another change.
    private void register(String name) {
        suite.admin().create("/api/v1/nodes", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "spec", Map.of("providerID", Fleet.providerId(name), "taints", Taints.json(UNINITIALIZED)))));
    }
}
