package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.UNINITIALIZED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.fresh;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an owner declares, and what a policy takes of it. */
class OwnerTest {
    private static final String LABEL = "node.cluster.x-k8s.io/tier";
    private static final Taint A = Taint.of("a", "1", "NoSchedule");
    private static final Taint B = Taint.of("b", "", "NoExecute");
    private static final Taint C = Taint.of("c", "", "NoSchedule");

    @Test
    void of_a_pool_the_template_declares_and_not_the_pool() {
        Owner owner = pool();

        assertThat(owner.metadata().labels()).isEqualTo(Map.of(LABEL, "gold"));
        assertThat(owner.metadata().annotations()).isEqualTo(Map.of("taint.nodeward.io/c", "c:NoSchedule"));
        assertThat(owner.metadata().key().name()).isEqualTo("pool");
        assertThat(owner.clusterName()).isEqualTo("cluster-1");
        assertThat(taints(owner, fresh(), NodePolicy.forMachinePools())).containsExactly(A, B, C);
    }

    @Test
    void of_taints_for_initialization_only_those_named_are_declared_again() {
        assertThat(taints(pool().again(Set.of()), fresh(), NodePolicy.forMachinePools())).containsExactly(A, C);
        assertThat(taints(pool().again(Set.of(B.id())), fresh(), NodePolicy.forMachinePools()))
                .containsExactly(A, B, C);
        assertThat(taints(pool().again(Set.of(new TaintId("z", "NoExecute"))), fresh(), NodePolicy.forMachinePools()))
                .containsExactly(A, C);
    }

    @Test
    void a_policy_adds_labels_and_the_end_of_initialization_to_a_pools_taints() {
        Node node = fresh(UNINITIALIZED);
        NodePolicy pools = NodePolicy.forMachinePools();

        assertThat(change(pool(), node, pools).labels()).isEmpty();
        assertThat(taints(pool(), node, pools)).contains(UNINITIALIZED);
        assertThat(change(pool(), node, pools.withMetadata(true)).labels())
                .isEqualTo(Map.of(LABEL, Optional.of("gold")));
        assertThat(taints(pool(), node, pools.withUninitializedRemoved(true))).doesNotContain(UNINITIALIZED);
    }

    @Test
    void a_warning_says_what_is_left_out_and_whether_the_node_is_at_fault() {
        assertThat(finding(Reason.RESERVED_TAINT)).isEqualTo(new Finding("ReservedTaint", "why", true, false));
        assertThat(finding(Reason.MALFORMED_TRACKING)).isEqualTo(new Finding("MalformedTracking", "why", false, true));
        for (Reason other : List.of(
                Reason.LIFECYCLE_TAINT, Reason.CAPACITY_OVERRIDE, Reason.DUPLICATE_CAPACITY)) {
            assertThat(finding(other)).isEqualTo(new Finding(other.text(), "why", false, false));
        }
    }

    private static Finding finding(Reason reason) {
        return new Warning(reason, "why").finding();
    }

    private static List<Taint> taints(Owner owner, Node node, NodePolicy policy) {
        return change(owner, node, policy).applyTo(node, "43").taints();
    }

    private static NodeChange change(Owner owner, Node node, NodePolicy policy) {
        return NodePlanner.plan(owner, node, policy).change();
    }

    private static Owner pool() {
        Metadata metadata = new Metadata(new ObjectKey("fleet", "pool"), "uid", "1",
                Map.of("node.cluster.x-k8s.io/of-the-pool", ""), Map.of("taint.nodeward.io/p", "p:NoSchedule"),
                List.of(), false);
        return Owner.of(new MachinePool(metadata, "cluster-1",
                new MachinePool.Template(Map.of(LABEL, "gold"), Map.of("taint.nodeward.io/c", "c:NoSchedule"),
                        List.of(always("a", "1", "NoSchedule"), once("b", "", "NoExecute"))),
                new MachinePool.InfrastructureRef("", "", ""), List.of(), List.of(), List.of()));
    }
}
