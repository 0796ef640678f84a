package io.nodeward.core.rules.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Tolerance;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final Taint GPU = Taint.of("gpu", "", "NoSchedule");
    private static final Taint OUT = Taint.of("out", "", "NoExecute");
    private static final Demand ANY = new Demand(List.of(), "", Map.of(), Optional.empty(), List.of());

    private static Node node(Map<String, String> labels, Taint... taints) {
        return new Node(new Metadata(new ObjectKey("", "n1"), "u", "1", labels, Map.of(), List.of(), false), "",
                List.of(taints));
    }

    private static Optional<Placement> first(Demand demand, Node node) {
        return Placement.first(demand, node, false, Tolerance.DEFAULT);
    }

    private static Demand selecting(Map<String, String> selector) {
        return new Demand(List.of(), "", selector, Optional.empty(), List.of());
    }

    private static Demand with(NodeTerm... terms) {
        return new Demand(List.of(), "", Map.of(), Optional.of(List.of(terms)), List.of());
    }

    private static NodeTerm named(Operator operator, String... names) {
        return new NodeTerm(List.of(), List.of(new Requirement("metadata.name", operator, List.of(names))));
    }

    private static NodeTerm labelled(String key, Operator operator, String... values) {
        return new NodeTerm(List.of(new Requirement(key, operator, List.of(values))), List.of());
    }

    @Test
    void a_node_that_nothing_speaks_against_is_open() {
        assertThat(first(ANY, node(Map.of()))).isEmpty();
        assertThat(first(ANY, node(Map.of(), Taint.of("x", "", "PreferNoSchedule")))).isEmpty();
    }

    @Test
    void the_first_reason_in_the_order_of_the_scheduler_is_given() {
        Node bad = node(Map.of(), GPU);
        Demand all = new Demand(List.of(), "other", Map.of("disk", "ssd"),
                Optional.of(List.of(named(Operator.IN, "n2"))), List.of("wait"));
        assertThat(Placement.first(all, bad, true, Tolerance.DEFAULT).orElseThrow().filter())
                .isEqualTo(Filter.SCHEDULING_GATES);
        Demand ungated = new Demand(List.of(), "other", all.selector(), all.terms(), List.of());
        assertThat(Placement.first(ungated, bad, true, Tolerance.DEFAULT).orElseThrow().filter())
                .isEqualTo(Filter.NODE_AFFINITY_NAME);
        Demand anywhere = new Demand(List.of(), "other", all.selector(), Optional.empty(), List.of());
        assertThat(Placement.first(anywhere, bad, true, Tolerance.DEFAULT).orElseThrow().filter())
                .isEqualTo(Filter.NODE_UNSCHEDULABLE);
        assertThat(first(anywhere, bad).orElseThrow().filter()).isEqualTo(Filter.NODE_NAME);
        Placement tainted = first(selecting(all.selector()), bad).orElseThrow();
        assertThat(tainted.filter()).isEqualTo(Filter.TAINT_TOLERATION);
        assertThat(tainted.filter().plugin()).isEqualTo("TaintToleration");
        assertThat(tainted.taint()).contains(GPU);
        assertThat(tainted.text()).isEqualTo("untolerated taint: gpu:NoSchedule");
        assertThat(first(selecting(all.selector()), node(Map.of("disk", "hdd"))).orElseThrow().text()).endsWith(
                "does not match: nodeSelector wants disk=ssd, the Node has disk=hdd");
    }

    @Test
    void who_tolerates_the_cordon_may_come_to_a_cordoned_node() {
        Demand tolerant = new Demand(List.of(Toleration.exists("node.kubernetes.io/unschedulable", "NoSchedule")), "",
                Map.of(), Optional.empty(), List.of());
        assertThat(Placement.first(tolerant, node(Map.of()), true, Tolerance.DEFAULT)).isEmpty();
        assertThat(Placement.first(ANY, node(Map.of()), true, Tolerance.DEFAULT)).isPresent();
    }

    @Test
    void one_term_of_the_affinity_must_match_as_a_whole() {
        Node ssd = node(Map.of("disk", "ssd", "size", "10"));
        assertThat(first(with(labelled("disk", Operator.IN, "hdd"), labelled("size", Operator.GREATER, "9")), ssd))
                .isEmpty();
        assertThat(first(with(labelled("disk", Operator.IN, "hdd"), labelled("size", Operator.GREATER, "10")), ssd)
                .orElseThrow().detail()).isEqualTo("none of 2 nodeSelectorTerms matches");
        NodeTerm both = new NodeTerm(List.of(new Requirement("disk", Operator.EXISTS, List.of()),
                new Requirement("zone", Operator.EXISTS, List.of())), List.of());
        assertThat(first(with(both), ssd)).isPresent();
    }

    @Test
    void an_empty_term_and_no_term_match_nothing() {
        assertThat(first(with(new NodeTerm(List.of(), List.of())), node(Map.of()))).isPresent();
        assertThat(first(with(), node(Map.of()))).isPresent();
    }

    @Test
    void names_leave_nodes_out_only_if_every_term_has_them() {
        assertThat(first(with(named(Operator.IN, "n2")), node(Map.of())).orElseThrow().filter())
                .isEqualTo(Filter.NODE_AFFINITY_NAME);
        assertThat(first(with(named(Operator.IN, "n2"), named(Operator.IN, "n1")), node(Map.of()))).isEmpty();
        assertThat(first(with(named(Operator.IN, "n2"), labelled("x", Operator.EXISTS)), node(Map.of()))
                .orElseThrow().filter()).isEqualTo(Filter.NODE_AFFINITY);
        assertThat(first(with(named(Operator.NOT_IN, "n1")), node(Map.of())).orElseThrow().filter())
                .isEqualTo(Filter.NODE_AFFINITY);
    }

    @Test
    void what_evicts_a_pod_now_soon_or_should_its_node_fail_is_told_in_this_order() {
        Taint soon = Taint.of("soon", "", "NoExecute");
        List<Threat> threats = Threat.of(List.of(GPU, OUT), List.of(soon, OUT), List.of(
                Toleration.exists("out", "NoExecute").forSeconds(60),
                Toleration.exists("node.kubernetes.io/unreachable", "NoExecute")), Tolerance.DEFAULT);

        assertThat(threats).extracting(threat -> threat.taint().key()).containsExactly(
                "out", "soon", "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable");
        assertThat(threats).extracting(Threat::isFailure).containsExactly(false, false, true, true);
        assertThat(threats).extracting(Threat::there).containsExactly(true, false, false, false);
        assertThat(threats).extracting(Threat::eviction).containsExactly(new Eviction.After(Duration.ofSeconds(60)),
                new Eviction.Now(), new Eviction.Now(), new Eviction.Never());
        assertThat(threats.get(1).toleration()).isEmpty();
    }
}
