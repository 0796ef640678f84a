package io.nodeward.core.rules.taint;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NewNoExecuteTest {
    private static final String TRACKING = ClusterApi.TAINTS_FROM_MACHINE;
    private static final Instant NOW = Instant.parse("2026-11-20T08:00:00Z");
    private static final Instant LONG_AGO = NOW.minus(Duration.ofDays(300));
    private static final MachineTaint OUT = always("out", "x", "NoExecute");
    private static final MachineTaint OFF = always("off", "x", "NoSchedule");

    @Test
    void what_else_is_declared_comes_at_once_and_what_is_not_on_the_node_is_not_tracked() {
        Node node = node(Map.of(TRACKING, ""));
        Node held = without(node, OUT, OFF).orElseThrow().applyTo(node, "2");
        assertThat(held.taints()).containsExactly(Taint.of("off", "x", "NoSchedule"));
        assertThat(held.metadata().annotations()).containsEntry(TRACKING, "off:NoSchedule");
        assertThat(without(held, OUT, OFF).orElseThrow().isEmpty()).as("it is not written again").isTrue();
        Node whole = plan(held, OUT, OFF).applyTo(held, "3");
        assertThat(whole.metadata().annotations()).containsEntry(TRACKING, "off:NoSchedule,out:NoExecute");
        assertThat(without(whole, OUT, OFF)).isEmpty();
    }

    @Test
    void what_is_taken_away_goes_meanwhile() {
        Node node = node(Map.of(TRACKING, "old:NoExecute"), Taint.of("old", "", "NoExecute"));
        Node held = without(node, OUT).orElseThrow().applyTo(node, "2");
        assertThat(held.taints()).isEmpty();
        assertThat(held.metadata().annotations()).containsEntry(TRACKING, "");
    }

    @Test
    void another_value_evicts_those_who_tolerate_the_one_that_is_there() {
        Node node = node(Map.of(TRACKING, "out:NoExecute"), Taint.of("out", "old", "NoExecute"));
        assertThat(without(node, OUT).orElseThrow().isEmpty()).isTrue();
        assertThat(without(node, always("out", "old", "NoExecute"))).isEmpty();
    }

    @Test
    void what_keeps_pods_off_stays_until_the_effect_that_takes_its_place_is_there() {
        Node node = node(Map.of(TRACKING, "a:NoSchedule,out:NoSchedule"), Taint.of("a", "", "NoSchedule"),
                Taint.of("out", "x", "NoSchedule"));
        Node held = without(node, OUT).orElseThrow().applyTo(node, "2");
        assertThat(held.taints()).containsExactly(Taint.of("out", "x", "NoSchedule"));
        assertThat(held.metadata().annotations()).containsEntry(TRACKING, "out:NoSchedule");
        assertThat(without(held, OUT).orElseThrow().isEmpty()).isTrue();
        assertThat(plan(held, OUT).applyTo(held, "3").taints()).containsExactly(Taint.of("out", "x", "NoExecute"));
    }

    @Test
    void repair_of_drift_and_new_nodes_wait_for_nothing() {
        assertThat(without(node(Map.of(TRACKING, "out:NoExecute")), OUT)).isEmpty();
        assertThat(without(node(Map.of(), Taint.of(ClusterApi.UNINITIALIZED_TAINT, "", "NoSchedule")), OUT)).isEmpty();
        assertThat(without(node(Map.of(TRACKING, "")), OFF)).isEmpty();
        assertThat(without(node(Map.of(TRACKING, "")))).isEmpty();
    }

    @Test
    void where_one_is_set_once_only_all_taints_wait_and_the_node_stays_untracked() {
        MachineTaint once = new MachineTaint("once", "", "NoExecute", MachineTaint.ON_INITIALIZATION);
        Node node = node(Map.of());
        NodeChange held = without(node, once, OFF).orElseThrow();
        assertThat(held.taints()).as("what is written untracked would stay when it is declared no more").isEmpty();
        assertThat(held.annotations()).doesNotContainKey(TRACKING);
        assertThat(held.applyTo(node, "2").created()).isEqualTo(LONG_AGO.toString());
        assertThat(plan(node, once, OFF).applyTo(node, "3").taints()).extracting(Taint::key).contains("once", "off");
    }

    @Test
    void a_taint_set_once_only_by_an_annotation_holds_up_nothing_that_the_spec_declares() {
        Map<String, String> warming = Map.of("taint.nodeward.io/warming", "warming:NoExecute:OnInitialization",
                "taint.nodeward.io/first", "first:NoSchedule:OnInitialization", "taint.nodeward.io/always",
                "always:NoSchedule");
        Node node = node(Map.of(TRACKING, "gone:NoExecute,off:NoSchedule"), Taint.of("gone", "", "NoExecute"));
        Node held = NewNoExecute.without(node, plan(node, warming, OFF), NOW).orElseThrow().applyTo(node, "2");
        assertThat(held.taints()).as("repaired, removed, and the rest waits")
                .containsExactly(Taint.of("off", "x", "NoSchedule"));
        assertThat(held.metadata().annotations()).isEqualTo(Map.of(TRACKING, "off:NoSchedule"));
        assertThat(NewNoExecute.without(held, plan(held, warming, OFF), NOW).orElseThrow().isEmpty()).isTrue();
        assertThat(plan(held, warming, OFF).applyTo(held, "3").taints()).extracting(Taint::key)
                .containsExactlyInAnyOrder("off", "warming", "first", "always");
    }

    @Test
    void another_value_of_an_effect_that_evicts_nobody_comes_at_once() {
        Node node = node(Map.of(TRACKING, "dedicated:NoSchedule"), Taint.of("dedicated", "a", "NoSchedule"));
        Node held = without(node, always("dedicated", "b", "NoSchedule"), always("dedicated", "b", "NoExecute"))
                .orElseThrow().applyTo(node, "2");
        assertThat(held.taints()).containsExactly(Taint.of("dedicated", "b", "NoSchedule"));
        assertThat(held.metadata().annotations()).containsEntry(TRACKING, "dedicated:NoSchedule");
    }

    @Test
    void a_node_that_somebody_else_initialized_is_new_until_it_is_tracked_or_five_minutes_old() {
        MachineTaint once = new MachineTaint("once", "", "NoExecute", MachineTaint.ON_INITIALIZATION);
        assertThat(without(created(NOW.minusSeconds(299), Map.of()), once, OUT)).isEmpty();
        assertThat(without(created(NOW.minusSeconds(300), Map.of()), once, OUT)).isPresent();
        assertThat(without(created(NOW, Map.of(TRACKING, "")), OUT)).isPresent();
        assertThat(without(new Node(node(Map.of()).metadata(), "", List.of(), "no time"), OUT)).isPresent();
        assertThat(without(created(NOW, Map.of(TaintAnnotations.TRACKING, "")), OUT)).isPresent();
    }

    @Test
    void a_node_of_later_is_not_new_as_the_clock_may_be_far_behind() {
        assertThat(without(created(NOW.plusSeconds(299), Map.of()), OUT)).isEmpty();
        assertThat(without(created(NOW.plusSeconds(300), Map.of()), OUT)).isPresent();
        assertThat(without(created(Instant.MAX, Map.of()), OUT)).isPresent();
    }

    private static Optional<NodeChange> without(Node node, MachineTaint... declared) {
        return NewNoExecute.without(node, plan(node, declared), NOW);
    }

    private static NodeChange plan(Node node, MachineTaint... declared) {
        return plan(node, Map.of(), declared);
    }

    private static NodeChange plan(Node node, Map<String, String> annotations, MachineTaint... declared) {
        Metadata owner = new Metadata(new ObjectKey("ns", "m"), "u", "1", Map.of(), annotations, List.of(), false);
        return NodePlanner.plan(Owner.of(owner, "c", List.of(declared)), node, NodePolicy.forMachines()).change();
    }

    private static MachineTaint always(String key, String value, String effect) {
        return new MachineTaint(key, value, effect, MachineTaint.ALWAYS);
    }

    private static Node node(Map<String, String> annotations, Taint... taints) {
        return new Node(new Metadata(ObjectKey.clusterScoped("n"), "u-n", "1", Map.of(), annotations, List.of(), false),
                "", List.of(taints), LONG_AGO.toString());
    }

    private static Node created(Instant at, Map<String, String> annotations) {
        Node node = node(annotations);
        return new Node(node.metadata(), node.providerId(), node.taints(), at.toString());
    }
}
