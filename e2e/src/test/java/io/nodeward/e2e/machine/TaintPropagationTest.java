package io.nodeward.e2e.machine;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.backend.UsedBackend;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The seed's e2e plan: both kinds of propagation on a new Node, and changes on day 2. */
class TaintPropagationTest extends InRunningController {
    TaintPropagationTest() {
        super("taints");
    }

    @Test
    void a_new_node_gets_both_kinds_and_loses_uninitialized_in_the_same_single_patch() {
        suite.fleet().node(Taints.register(
                NodeSpec.named("taints-new").uninitialized(), "example.com/kubelet=k:NoExecute"));
        witness.settle();
        JsonNode before = suite.node("taints-new");
        AuditRequest patch = witness.onePatch("taints-new", () -> suite.fleet().machine(machine("taints-new",
                "example.com/b=1:NoSchedule:Always",
                "example.com/a:PreferNoSchedule:Always",
                "example.com/once=x:NoExecute:OnInitialization")));

        assertThat(patch.written()).isEqualTo(Json.parse("""
                {"metadata":{
                   "annotations":{"cluster.x-k8s.io/taints-from-machine":
                     "example.com/a:PreferNoSchedule,example.com/b:NoSchedule"}},
                 "spec":{"taints":[
                   {"key":"example.com/kubelet","value":"k","effect":"NoExecute"},
                   {"key":"example.com/b","value":"1","effect":"NoSchedule"},
                   {"key":"example.com/a","effect":"PreferNoSchedule"},
                   {"key":"example.com/once","value":"x","effect":"NoExecute"}]}}"""));
        assertThat(patch.body()).filteredOn(operation -> operation.path("path").asText().equals("/spec/taints")).first()
                .isEqualTo(Json.parse("{\"op\":\"test\",\"path\":\"/spec/taints\",\"value\":%s}"
                        .formatted(before.path("spec").path("taints"))));
        assertThat(patch.uri()).contains("fieldManager=nodeward-machine");
        assertThat(patch.userAgent()).startsWith("nodeward/").contains(UsedBackend.name());
        JsonNode after = suite.node("taints-new");
        assertThat(after.path("spec").path("taints")).isEqualTo(patch.written().path("spec").path("taints"));
        assertThat(after.path("metadata").path("managedFields").findValuesAsText("manager"))
                .contains("nodeward-machine");
    }

    @Test
    void a_machine_that_declares_nothing_makes_its_node_initialized_in_one_patch() {
        AuditRequest patch = witness.pair(machine("taints-none"));
        assertThat(patch.written().path("spec").path("taints").isNull()).isTrue();
        assertThat(Taints.on(suite.node("taints-none"))).isEmpty();
        assertThat(Taints.tracking(suite.node("taints-none"))).isEmpty();
    }

    @Test
    void a_node_that_registers_after_its_machine_is_initialized_as_well() {
        suite.fleet().machine(machine("taints-late", "example.com/a:NoSchedule:Always"));
        witness.settle();
        AuditRequest patch = witness.onePatch("taints-late", () -> suite.admin().create("/api/v1/nodes", Json.parse("""
                {"metadata":{"name":"taints-late"},"spec":{"providerID":"%s","taints":
                  [{"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"}]}}"""
                .formatted(Fleet.providerId("taints-late")))));
        assertThat(patch.written().path("spec").path("taints").findValuesAsText("key"))
                .containsExactlyInAnyOrder("node.kubernetes.io/not-ready", "example.com/a");
        suite.admin().delete(Fleet.nodePath("taints-late"));
    }

    @Test
    void a_finished_on_initialization_taint_does_not_come_back() {
        witness.pair(machine(
                "taints-once", "example.com/once:NoSchedule:OnInitialization", "example.com/a:NoSchedule:Always"));
        assertThat(Taints.on(suite.node("taints-once"))).contains("example.com/once:NoSchedule");
        witness.nothing(() -> suite.controlPlane().kubectl()
                .run("taint", "node", "taints-once", "example.com/once:NoSchedule-").orThrow("kubectl taint"));
        assertThat(Taints.on(suite.node("taints-once"))).containsExactly("example.com/a:NoSchedule");
        witness.nothing(() -> suite.admin().mergePatch(
                suite.fleet().machinePath("taints-once"), "{\"metadata\":{\"annotations\":{\"any\":\"change\"}}}"));
    }

    @Test
    void a_patch_that_only_changes_ownership_leaves_the_list_of_taints_out() {
        witness.pair(machine("taints-own", "example.com/a=1:NoSchedule:Always"));
        AuditRequest patch = declare("taints-own", "example.com/a=1:NoSchedule:OnInitialization");
        assertThat(patch.written().has("spec")).isFalse();
        assertThat(patch.written().path("metadata").path("annotations"))
                .isEqualTo(Json.parse("{\"cluster.x-k8s.io/taints-from-machine\":\"\"}"));
    }

    @Test
    void a_taint_goes_from_always_to_once_and_back_and_stays_owned_only_while_it_is_always() {
        witness.pair(machine("taints-back", "example.com/a=1:NoSchedule:Always"));
        declare("taints-back", "example.com/a=1:NoSchedule:OnInitialization");
        declare("taints-back", "example.com/a=2:NoSchedule:Always");
        assertThat(Taints.on(suite.node("taints-back"))).containsExactly("example.com/a=2:NoSchedule");
        declare("taints-back");
        assertThat(Taints.on(suite.node("taints-back"))).isEmpty();
    }

    @Test
    void the_taint_of_an_upstream_rollout_is_foreign() {
        AuditRequest patch = witness.pair(
                Taints.register(
                        NodeSpec.named("taints-rollout"), "node.cluster.x-k8s.io/outdated-revision:PreferNoSchedule"),
                machine("taints-rollout", "example.com/a:NoSchedule:Always"));
        assertThat(patch.written().path("spec").path("taints").findValuesAsText("key"))
                .containsExactly("node.cluster.x-k8s.io/outdated-revision", "example.com/a");
    }

    @Test
    void eight_taints_declared_at_once_arrive_in_one_patch_in_the_order_of_the_machine() {
        String[] declared = new String[8];
        for (int i = 0; i < declared.length; i++) {
            declared[i] = "example.com/t" + (7 - i) + ":NoSchedule:Always";
        }
        AuditRequest patch = witness.pair(machine("taints-many", declared));
        assertThat(patch.written().path("spec").path("taints").findValuesAsText("key"))
                .isEqualTo(List.of(declared).stream().map(t -> t.substring(0, t.indexOf(':'))).toList());
        assertThat(Taints.on(suite.node("taints-many"))).doesNotContain(UNINITIALIZED);
    }
}
