package io.nodeward.e2e.machine;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pauses of a Machine and of a Cluster; Machines of any owner, of none, and of control planes. */
class PausesAndOwnersTest extends InRunningController {
    private static final String PAUSED = "cluster.x-k8s.io/paused";
    private static final String TAINT = "example.com/a:NoSchedule";

    PausesAndOwnersTest() {
        super("owners");
    }

    @Test
    void a_paused_machine_gets_no_write_until_it_is_resumed() {
        suite.fleet().node(NodeSpec.named("owners-paused").uninitialized());
        witness.nothing(() -> suite.fleet().machine(machine("owners-paused", TAINT + ":Always")
                .withAnnotations(Map.of(PAUSED, ""))));
        assertThat(Taints.on(suite.node("owners-paused"))).containsExactly(UNINITIALIZED);
        witness.onePatch("owners-paused", () -> patchMachine("owners-paused", annotations(PAUSED, null)));
        assertThat(Taints.on(suite.node("owners-paused"))).containsExactly(TAINT);

        witness.nothing(() -> patchMachine("owners-paused", annotations(PAUSED, "true")));
        witness.nothing(() -> patchMachine("owners-paused", Taints.patch()));
        witness.nothing(() -> patchNode("owners-paused", Taints.patch()));
        witness.onePatch("owners-paused", () -> patchMachine("owners-paused", annotations(PAUSED, null)));
        assertThat(Taints.tracking(suite.node("owners-paused"))).isEmpty();
    }

    @Test
    void a_paused_cluster_holds_all_of_its_machines_and_no_others() {
        suite.cluster("resting");
        List<String> names = List.of("owners-r1", "owners-r2");
        witness.settle();
        witness.patches(names, () -> names.forEach(name -> {
            suite.admin().create("/api/v1/nodes", Json.tree(Map.of(
                    "metadata", Map.of("name", name), "spec", Map.of("providerID", Fleet.providerId(name)))));
            suite.fleet().machine(MachineSpec.named(name, "resting"));
        }));
        pauseCluster(true);
        witness.nothing(() -> names.forEach(name -> patchMachine(name, Taints.patch(TAINT + ":Always"))));
        witness.pair(machine("owners-awake", TAINT + ":Always"));
        witness.patches(names, () -> pauseCluster(false));
        assertThat(names).allSatisfy(name -> assertThat(Taints.on(suite.node(name))).contains(TAINT));
        names.forEach(name -> suite.admin().delete(Fleet.nodePath(name)));
    }

    @Test
    void a_machine_without_controller_owner_converges_with_one_write() {
        witness.pair(machine("owners-alone", TAINT + ":Always").standingAlone());
        quietFor("owners-alone");
    }

    @Test
    void a_machine_of_any_owner_converges_with_one_write() {
        witness.pair(machine("owners-set", TAINT + ":Always").standingAlone());
        witness.nothing(() -> own("owners-set", List.of(owner("cluster.x-k8s.io/v1beta2", "MachineSet", true))));
        quietFor("owners-set");
        witness.nothing(() -> own("owners-set", List.of(owner("karpenter.sh/v1", "NodeClaim", true))));
        quietFor("owners-set");
        witness.nothing(() -> own("owners-set",
                List.of(owner("example.com/v1", "Robot", false), owner("example.com/v1", "Garden", false))));
        quietFor("owners-set");
        declare("owners-set", TAINT + ":Always", "example.com/b:NoSchedule:Always");
    }

    @Test
    void a_control_plane_machine_keeps_kubeadms_taint_and_gets_its_own() {
        String role = "node-role.kubernetes.io/control-plane";
        witness.pair(
                Taints.register(NodeSpec.named("owners-cp").withLabels(Map.of(role, "")), role + ":NoSchedule"),
                machine("owners-cp", TAINT + ":Always").withLabels(Map.of("cluster.x-k8s.io/control-plane", "")));
        assertThat(Taints.on(suite.node("owners-cp"))).containsExactly(role + ":NoSchedule", TAINT);
        // Declared, it is adopted; no longer declared, it goes.
        declare("owners-cp", TAINT + ":Always", role + ":NoSchedule:Always");
        declare("owners-cp", TAINT + ":Always");
        assertThat(Taints.on(suite.node("owners-cp"))).containsExactly(TAINT);
        assertThat(label("owners-cp", role)).isEmpty();
    }

    /** What upstream manager and kubelet say of a Machine and its Node all the time must not cost a request. */
    private void quietFor(String name) {
        witness.nothing(() -> {
            String status = suite.fleet().machinePath(name) + "/status";
            suite.admin().mergePatch(status, "{\"status\":{\"phase\":\"Running\"}}");
            suite.admin().mergePatch(status, "{\"status\":{\"phase\":\"Failed\"}}");
            patchMachine(name, annotations("example.com/note", name));
            patchMachine(name, annotations("example.com/note", null));
        });
    }

    private void own(String name, List<Map<String, Object>> owners) {
        patchMachine(name, Json.tree(Map.of("metadata", Map.of("ownerReferences", owners))).toString());
    }

    private static Map<String, Object> owner(String apiVersion, String kind, boolean controller) {
        return Map.of("apiVersion", apiVersion, "kind", kind, "name", "o-" + kind.toLowerCase(Locale.ROOT),
                "uid", "00000000-0000-0000-0000-0000000000" + (kind.length() + 10), "controller", controller);
    }

    private void pauseCluster(boolean paused) {
        suite.admin().mergePatch(
                "/apis/cluster.x-k8s.io/v1beta2/namespaces/owners/clusters/resting",
                "{\"spec\":{\"paused\":" + paused + "}}");
    }
}
