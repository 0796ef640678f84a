package io.nodeward.core.rules.impact;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.impact.Impact.Step;
import io.nodeward.core.rules.impact.PodFate.Outcome;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Tolerance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImpactTest {
    private static final Taint GPU = Taint.of("gpu", "a", "NoSchedule");
    private static final Taint OUT = Taint.of("out", "", "NoExecute");

    private static Metadata metadata(String namespace, String name, Map<String, String> labels) {
        return new Metadata(new ObjectKey(namespace, name), "u", "1", labels, Map.of(), List.of(), false);
    }

    private static Node node(String name, Taint... taints) {
        return new Node(metadata("", name, Map.of()), "", List.of(taints));
    }

    private static Step step(Node before, Taint... after) {
        return new Step(before, new Node(before.metadata(), "", List.of(after)));
    }

    private static Pod pod(String name, String node, Toleration... tolerations) {
        return pod(metadata("d", name, Map.of("app", name)), node, "Running", tolerations);
    }

    private static Pod pod(Metadata metadata, String node, String phase, Toleration... tolerations) {
        return new Pod(metadata, node, List.of(tolerations), "", phase);
    }

    private static Impact impact(List<Step> steps, Pod... pods) {
        return Impact.of(steps, List.of(pods), List.of(), Tolerance.DEFAULT);
    }

    @Test
    void a_taint_comes_goes_or_changes_by_its_key_and_effect() {
        Taint other = Taint.of("gpu", "b", "NoSchedule");
        Taint stays = Taint.of("stays", "", "NoSchedule");

        TaintDifference taints = TaintDifference.of(List.of(GPU, stays), List.of(stays, other, OUT));

        assertThat(taints.added()).containsExactly(OUT);
        assertThat(taints.removed()).isEmpty();
        assertThat(taints.changed()).containsExactly(new TaintDifference.Changed(GPU, other));
        assertThat(TaintDifference.of(List.of(OUT, GPU), List.of(GPU, OUT)).isEmpty()).isTrue();
    }

    @Test
    void a_taint_evicts_who_does_not_tolerate_it_at_once_and_others_when_their_time_is_up() {
        Impact impact = impact(List.of(step(node("n"), OUT)),
                pod("at-once", "n"),
                pod("later", "n", Toleration.exists("out", "").forSeconds(30)),
                pod("stays", "n", Toleration.exists("out", "NoExecute")),
                pod("elsewhere", "m"));

        assertThat(impact.nodes()).hasSize(1);
        assertThat(impact.nodes().get(0).pods()).containsExactly(
                new PodFate(new ObjectKey("d", "at-once"), new Eviction.Never(), new Eviction.Now(),
                        Optional.of(OUT), List.of()),
                new PodFate(new ObjectKey("d", "later"), new Eviction.Never(),
                        new Eviction.After(Duration.ofSeconds(30)), Optional.of(OUT), List.of()));
        assertThat(impact.nodes().get(0).pods()).allMatch(PodFate::isEvicted);
    }

    @Test
    void a_pod_that_was_to_go_stays_when_the_taint_goes() {
        Impact impact = impact(List.of(step(node("n", OUT))), pod("p", "n"));

        PodFate fate = impact.nodes().get(0).pods().get(0);
        assertThat(fate.before()).isEqualTo(new Eviction.Now());
        assertThat(fate.after()).isEqualTo(new Eviction.Never());
        assertThat(fate.outcome()).isEqualTo(Outcome.NO_LONGER);
        assertThat(fate.isEvicted()).isFalse();
        assertThat(fate.because()).isEmpty();
    }

    @Test
    void a_pod_that_had_time_and_has_none_goes_sooner() {
        Taint slow = Taint.of("slow", "", "NoExecute");
        PodFate fate = onlyFate(List.of(slow), List.of(slow, OUT), Toleration.exists("slow", "").forSeconds(60));

        assertThat(fate.outcome()).isEqualTo(Outcome.AT_ONCE);
        assertThat(fate.isEvicted()).isTrue();
        assertThat(fate.because()).contains(OUT);
    }

    @Test
    void less_time_is_told_although_a_timer_that_runs_is_not_moved() {
        Taint slow = Taint.of("slow", "", "NoExecute");
        PodFate fate = onlyFate(List.of(slow), List.of(slow, OUT), Toleration.exists("slow", "").forSeconds(60),
                Toleration.exists("out", "").forSeconds(5));

        assertThat(fate.outcome()).isEqualTo(Outcome.SHORTENED);
        assertThat(fate.isEvicted()).isTrue();
    }

    @Test
    void more_time_helps_no_pod_whose_timer_runs_and_evicts_none_that_was_not_to_go() {
        Taint slow = Taint.of("slow", "", "NoExecute");
        PodFate fate = onlyFate(List.of(slow, OUT), List.of(slow), Toleration.exists("slow", "").forSeconds(60),
                Toleration.exists("out", "").forSeconds(5));

        assertThat(fate.outcome()).isEqualTo(Outcome.LENGTHENED);
        assertThat(fate.isEvicted()).isFalse();
        assertThat(onlyFate(List.of(OUT), List.of(slow), Toleration.exists("slow", "").forSeconds(60)).outcome())
                .isEqualTo(Outcome.LENGTHENED);
    }

    @Test
    void a_timer_runs_on_with_another_taint_of_the_same_time() {
        Toleration both = Toleration.exists("", "").forSeconds(60);
        Impact impact = impact(List.of(step(node("n", OUT), Taint.of("slow", "", "NoExecute"))), pod("p", "n", both));

        assertThat(impact.nodes().get(0).pods()).isEmpty();
    }

    private static PodFate onlyFate(List<Taint> before, List<Taint> after, Toleration... tolerations) {
        Impact impact = impact(List.of(step(node("n", before.toArray(Taint[]::new)), after.toArray(Taint[]::new))),
                pod("p", "n", tolerations));
        return impact.nodes().get(0).pods().get(0);
    }

    @Test
    void a_taint_without_execution_evicts_nobody_but_closes_the_node_for_those_that_wait() {
        Impact impact = impact(List.of(step(node("a"), GPU), step(node("b"))),
                pod("on-it", "a"), pod("waits", ""), pod("may", "", Toleration.exists("gpu", "")));

        assertThat(impact.nodes()).hasSize(1);
        assertThat(impact.nodes().get(0).pods()).isEmpty();
        assertThat(impact.pending())
                .containsExactly(new PendingFit(new ObjectKey("d", "waits"), List.of(), List.of("a"), 1));
    }

    @Test
    void a_node_opens_for_those_that_wait() {
        Impact impact = impact(List.of(step(node("b", GPU)), step(node("a", GPU)), step(node("c", GPU), GPU)),
                pod("waits", ""));

        assertThat(impact.pending())
                .containsExactly(new PendingFit(new ObjectKey("d", "waits"), List.of("a", "b"), List.of(), 2));
    }

    @Test
    void who_has_ended_and_who_is_static_is_not_evicted() {
        Metadata mirror = new Metadata(new ObjectKey("d", "static"), "u", "1", Map.of(),
                Map.of("kubernetes.io/config.mirror", "x"), List.of(), false);

        Impact impact = impact(List.of(step(node("n"), OUT)),
                pod(metadata("d", "done", Map.of()), "n", "Succeeded"),
                pod(metadata("d", "broken", Map.of()), "n", "Failed"),
                pod(mirror, "n", "Running"));

        assertThat(impact.nodes().get(0).pods()).isEmpty();
    }

    @Test
    void a_budget_is_named_where_it_covers_the_pod() {
        List<Budget> budgets = List.of(
                new Budget(new ObjectKey("d", "yes"), LabelSelector.parse("app=p"), 0),
                new Budget(new ObjectKey("d", "no"), LabelSelector.parse("app=q"), 0),
                new Budget(new ObjectKey("e", "elsewhere"), LabelSelector.parse(""), 0));

        Impact impact = Impact.of(List.of(step(node("n"), OUT)), List.of(pod("p", "n")), budgets, Tolerance.DEFAULT);

        assertThat(impact.nodes().get(0).pods().get(0).budgets()).containsExactly(new ObjectKey("d", "yes"));
    }

    @Test
    void nothing_happens_to_a_fleet_that_stays_as_it_is() {
        Impact impact = impact(List.of(step(node("n", OUT, GPU), GPU, OUT)), pod("p", "n"), pod("waits", ""));

        assertThat(impact).isEqualTo(new Impact(List.of(), List.of()));
        assertThat(impact.isEmpty()).isTrue();
    }
}
