package io.nodeward.core.rules.taint;

import static io.nodeward.core.rules.Fleet.UNINITIALIZED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.fresh;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class InitialTaintsTest {
    private static final Taint A = Taint.of("a", "1", "NoSchedule");
    private static final Taint B = Taint.of("b", "2", "NoExecute");
    private static final Set<TaintId> SET = Set.of(B.id());

    private static Owner owner(Map<String, String> annotations, MachineTaint... taints) {
        Metadata metadata =
                new Metadata(new ObjectKey("fleet", "pool"), "uid", "1", Map.of(), annotations, List.of(), false);
        return Owner.of(metadata, "c", List.of(taints));
    }

    private static Set<TaintId> setBy(Owner owner, Node node, NodePolicy policy) {
        NodeChange change = NodePlanner.plan(owner, node, policy).change();
        return InitialTaints.setBy(change, node, owner.taints(), owner.annotated());
    }

    @Test
    void those_for_initialization_are_set_and_others_are_not() {
        Owner owner = owner(Map.of("taint.nodeward.io/c", "c:NoSchedule:OnInitialization"),
                always("a", "1", "NoSchedule"), once("b", "2", "NoExecute"));
        assertThat(setBy(owner, fresh(UNINITIALIZED), NodePolicy.forMachinePools()))
                .containsExactlyInAnyOrder(B.id(), new TaintId("c", "NoSchedule"));
    }

    @Test
    void what_was_there_already_is_not_set() {
        Owner owner = owner(Map.of(), once("b", "2", "NoExecute"));
        assertThat(setBy(owner, fresh(UNINITIALIZED, B), NodePolicy.forMachinePools())).isEmpty();
    }

    @Test
    void who_removes_uninitialized_in_the_same_write_has_nothing_to_fear() {
        Owner owner = owner(Map.of(), once("b", "2", "NoExecute"));
        assertThat(setBy(owner, fresh(UNINITIALIZED), NodePolicy.forMachines())).isEmpty();
        assertThat(setBy(owner, fresh(), NodePolicy.forMachinePools())).isEmpty();
    }

    @Test
    void they_are_wiped_if_all_are_gone_with_uninitialized() {
        assertThat(InitialTaints.areWiped(SET, fresh(A))).isTrue();
        assertThat(InitialTaints.areWiped(SET, fresh(A, B))).isFalse();
        assertThat(InitialTaints.areWiped(SET, fresh(UNINITIALIZED))).isFalse();
        assertThat(InitialTaints.areWiped(Set.of(A.id(), B.id()), fresh(A))).isFalse();
        assertThat(InitialTaints.areWiped(Set.of(), fresh())).isFalse();
    }

    @Test
    void they_are_at_risk_while_uninitialized_is_there_and_none_of_them_is_gone() {
        assertThat(InitialTaints.areAtRisk(SET, fresh(UNINITIALIZED, A, B))).isTrue();
        assertThat(InitialTaints.areAtRisk(SET, fresh(UNINITIALIZED, A))).isFalse();
        assertThat(InitialTaints.areAtRisk(SET, fresh(A, B))).isFalse();
    }
}
