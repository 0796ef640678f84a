package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.OUTDATED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.fresh;
import static io.nodeward.core.rules.Fleet.machine;
import static io.nodeward.core.rules.Fleet.once;
import static io.nodeward.core.rules.Fleet.tracking;
import static io.nodeward.core.rules.node.OwnedTaintsTest.plan;
import static io.nodeward.core.rules.node.OwnedTaintsTest.taintsAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Owners that got past validation. */
class UnusableTaintsTest {
    private static final Taint A = Taint.of("a", "1", "NoSchedule");

    @ParameterizedTest
    @ValueSource(strings = {ClusterApi.UNINITIALIZED_TAINT, ClusterApi.OUTDATED_REVISION_TAINT})
    void a_reserved_key_is_neither_set_nor_tracked(String key) {
        NodePlan plan = plan(
                machine(always(key, "v", "NoExecute"), once(key, "", "NoSchedule"), always("a", "1", "NoSchedule")),
                fresh(OUTDATED));

        assertThat(plan.change().taints()).contains(List.of(OUTDATED, A));
        assertThat(tracked(plan, fresh())).isEqualTo("a:NoSchedule");
        assertThat(plan.warnings()).extracting(Warning::reason)
                .containsExactly(Reason.RESERVED_TAINT, Reason.RESERVED_TAINT);
        assertThat(plan.warnings().get(0).message()).contains(key + ":NoExecute");
    }

    @ParameterizedTest
    @CsvSource({
            "a-, v, NoSchedule, key", "Foo.COM/x, v, NoSchedule, key", "b, v-, NoSchedule, value",
            "b, v, NoRun, effect", "'', v, NoSchedule, key", "b:c, v, NoSchedule, key", "'b,c', v, NoSchedule, key"
    })
    void a_taint_no_node_accepts_is_left_out_and_the_others_go_on(
            String key, String value, String effect, String field) {
        NodePlan plan = plan(machine(always(key, value, effect), always("a", "1", "NoSchedule")), fresh());

        assertThat(plan.change().taints()).contains(List.of(A));
        assertThat(tracked(plan, fresh())).isEqualTo("a:NoSchedule");
        assertThat(plan.warnings()).singleElement().satisfies(w -> {
            assertThat(w.reason()).isEqualTo(Reason.UNUSABLE_TAINT);
            assertThat(w.message()).contains(key + "=" + value + ":" + effect, field + ": no Node accepts it");
        });
    }

    @Test
    void a_key_of_317_characters_is_carried() {
        String key = "a".repeat(253) + '/' + "b".repeat(63);

        NodePlan plan = plan(machine(always(key, "", "NoSchedule")), fresh());

        assertThat(plan.warnings()).isEmpty();
        assertThat(tracked(plan, fresh())).isEqualTo(key + ":NoSchedule");
    }

    @ParameterizedTest
    @CsvSource({"bad value, Always, UNUSABLE_TAINT", "1, Sometimes, UNKNOWN_PROPAGATION", "2, '', UNKNOWN_PROPAGATION"})
    void what_cannot_be_carried_out_leaves_the_owned_taint_as_it_is(String value, String propagation, Reason reason) {
        MachineTaint unclear = new MachineTaint("a", value, "NoSchedule", propagation);
        Node node = tracking("a:NoSchedule", A);

        NodePlan alone = plan(machine(unclear), node);
        NodePlan withAnother = plan(machine(always("b", "", "NoSchedule"), unclear), node);

        assertThat(alone.change().isEmpty()).isTrue();
        assertThat(alone.warnings()).extracting(Warning::reason).containsExactly(reason);
        assertThat(withAnother.change().taints()).contains(List.of(A, Taint.of("b", "", "NoSchedule")));
        assertThat(tracked(withAnother, node)).isEqualTo("a:NoSchedule,b:NoSchedule");
    }

    @Test
    void what_cannot_be_carried_out_takes_no_ownership() {
        MachineTaint unclear = new MachineTaint("a", "1", "NoSchedule", "Sometimes");

        NodePlan onFreshNode = plan(machine(unclear), fresh(A));
        NodePlan onNodeWithout = plan(machine(unclear), fresh());

        assertThat(onFreshNode.change().taints()).isEmpty();
        assertThat(tracked(onFreshNode, fresh(A))).isEmpty();
        assertThat(onNodeWithout.change().taints()).isEmpty();
        assertThat(onFreshNode.warnings().get(0).message()).contains("a:NoSchedule", "\"Sometimes\"");
    }

    @Test
    void a_once_taint_with_a_value_no_node_accepts_is_not_set_but_ends_ownership() {
        MachineTaint bad = once("a", "bad value", "NoSchedule");

        NodePlan plan = plan(machine(bad), tracking("a:NoSchedule", A));

        assertThat(plan.change().taints()).isEmpty();
        assertThat(tracked(plan, fresh())).isEmpty();
        assertThat(taintsAfter(machine(bad), fresh())).isEmpty();
    }

    @Test
    void duplicates_give_the_same_node_in_any_order_and_one_warning() {
        List<MachineTaint> declared = List.of(
                once("a", "0", "NoSchedule"), always("a", "2", "NoSchedule"), always("a", "1", "NoSchedule"),
                always("a", "bad value", "NoSchedule"), always("b", "", "NoSchedule"));
        for (int i = 0; i < declared.size(); i++) {
            List<MachineTaint> rotated = new ArrayList<>(declared.subList(i, declared.size()));
            rotated.addAll(declared.subList(0, i));
            for (List<MachineTaint> order : List.of(rotated, rotated.reversed())) {
                NodePlan plan = plan(machine(order.toArray(MachineTaint[]::new)), fresh());
                assertThat(tracked(plan, fresh())).as("%s", order).isEqualTo("a:NoSchedule,b:NoSchedule");
                assertThat(plan.change().taints().orElseThrow()).as("%s", order)
                        .containsExactlyInAnyOrder(A, Taint.of("b", "", "NoSchedule"));
                assertThat(plan.warnings()).filteredOn(w -> w.reason() == Reason.DUPLICATE_TAINT).singleElement()
                        .satisfies(w -> assertThat(w.message()).contains("a:NoSchedule", "\"1\"", "Always"));
            }
        }
    }

    @Test
    void an_exact_copy_is_a_duplicate_too() {
        NodePlan plan = plan(machine(always("a", "1", "NoSchedule"), always("a", "1", "NoSchedule")), fresh());

        assertThat(plan.change().taints()).contains(List.of(A));
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(Reason.DUPLICATE_TAINT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"node.kubernetes.io/not-ready", "node.cloudprovider.kubernetes.io/uninitialized"})
    void a_key_another_controller_manages_is_carried_with_a_warning(String key) {
        NodePlan plan = plan(machine(always(key, "", "NoExecute")), fresh());

        assertThat(plan.change().taints()).contains(List.of(Taint.of(key, "", "NoExecute")));
        assertThat(plan.warnings()).singleElement().satisfies(w -> {
            assertThat(w.reason()).isEqualTo(Reason.LIFECYCLE_TAINT);
            assertThat(w.message()).contains(key + ":NoExecute");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"node.kubernetes.io/out-of-service", "node-role.kubernetes.io/control-plane", "a"})
    void other_keys_are_carried_without_a_warning(String key) {
        assertThat(plan(machine(always(key, "", "NoExecute")), fresh()).warnings()).isEmpty();
    }

    @Test
    void warnings_of_the_owner_and_of_the_node_are_both_told() {
        NodePlan plan = plan(machine(always("a-", "", "NoSchedule")), tracking("garbage"));

        assertThat(plan.warnings()).extracting(w -> w.reason().text())
                .containsExactly("UnusableTaint", "MalformedTracking");
    }

    private static String tracked(NodePlan plan, Node before) {
        return plan.change().applyTo(before, "43").metadata().annotations().get(ClusterApi.TAINTS_FROM_MACHINE);
    }
}
