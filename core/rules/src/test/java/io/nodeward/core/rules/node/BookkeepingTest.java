package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.machine;
import static io.nodeward.core.rules.Fleet.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BookkeepingTest {
    private static final OwnerRef SET = new OwnerRef("cluster.x-k8s.io/v1beta2", "MachineSet", "set-1", "s", true);
    private static final OwnerRef OTHER = new OwnerRef("v1", "ConfigMap", "other", "o", false);
    private static final NodePolicy KEEPING = NodePolicy.forMachines().withBookkeeping(true);

    @Test
    void is_foreign_unless_switched_on() {
        NodeChange change = NodePlanner.plan(Owner.of(owned(SET)), bare(), NodePolicy.forMachines()).change();

        assertThat(change.isEmpty()).isTrue();
    }

    @Test
    void names_cluster_machine_and_controller_owner() {
        NodeChange change = change(owned(OTHER, SET), bare());

        assertThat(change.annotations()).isEqualTo(new TreeMap<>(Map.of(
                ClusterApi.CLUSTER_NAME_ANNOTATION, Optional.of("cluster-1"),
                ClusterApi.CLUSTER_NAMESPACE_ANNOTATION, Optional.of("fleet"),
                ClusterApi.MACHINE_ANNOTATION, Optional.of("machine-1"),
                ClusterApi.OWNER_KIND_ANNOTATION, Optional.of("MachineSet"),
                ClusterApi.OWNER_NAME_ANNOTATION, Optional.of("set-1"))));
        assertThat(change(owned(OTHER, SET), change.applyTo(bare(), "43")).isEmpty()).isTrue();
    }

    @Test
    void of_a_machine_without_controller_owner_causes_no_storm() {
        Node node = change(owned(OTHER), bare()).applyTo(bare(), "43");

        assertThat(node.metadata().annotations())
                .doesNotContainKeys(ClusterApi.OWNER_KIND_ANNOTATION, ClusterApi.OWNER_NAME_ANNOTATION);
        assertThat(change(owned(OTHER), node).isEmpty()).isTrue();
    }

    @Test
    void of_an_owner_that_is_gone_is_removed_once() {
        Node node = change(owned(SET), bare()).applyTo(bare(), "43");

        assertThat(change(owned(), node).annotations()).isEqualTo(new TreeMap<>(Map.of(
                ClusterApi.OWNER_KIND_ANNOTATION, Optional.empty(),
                ClusterApi.OWNER_NAME_ANNOTATION, Optional.empty())));
    }

    private static Machine owned(OwnerRef... owners) {
        return machine(Map.of(), Map.of(), List.of(), owners);
    }

    private static Node bare() {
        return node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, ""));
    }

    private static NodeChange change(Machine owner, Node node) {
        return NodePlanner.plan(Owner.of(owner), node, KEEPING).change();
    }
}
