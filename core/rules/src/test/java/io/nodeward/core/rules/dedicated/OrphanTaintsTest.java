package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.after;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Taints that no group gives the Nodes that have them at the start. */
class OrphanTaintsTest {
    private static List<Node> of(String group, int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "n" + i)
                .map(name -> after(node(name), group(group).names(name))).toList();
    }

    private static OrphanTaints find(List<Node> nodes, Make... groups) {
        return OrphanTaints.of(nodes, Make.groups(groups)::of);
    }

    @ParameterizedTest
    @CsvSource({
            "11,  11, true",
            "10,  10, false", // ten are few
            "110, 11, false", // a tenth is little
            "109, 11, true"})
    void more_than_ten_nodes_and_more_than_a_tenth_of_those_that_have_the_taint_wait(int all, int orphans,
            boolean waiting) {
        String[] others = IntStream.range(orphans, all).mapToObj(i -> "n" + i).toArray(String[]::new);
        OrphanTaints found = find(of("banana", 0, all), group("banana").names(others));
        assertThat(found.nodes().keySet()).isEqualTo(waiting ? Set.of("dedicated=banana") : Set.of());
        assertThat(found.nodes().values()).allSatisfy(nodes -> assertThat(nodes).hasSize(orphans)
                .contains(ObjectKey.clusterScoped("n0")));
    }

    @Test
    void each_key_and_value_is_counted_alone() {
        List<Node> nodes = new ArrayList<>(of("banana", 0, 10));
        nodes.addAll(of("cherry", 10, 20));
        assertThat(find(nodes).nodes()).isEmpty();
        nodes.addAll(of("cherry", 20, 21));
        assertThat(find(nodes).nodes()).containsOnlyKeys("dedicated=cherry");
    }

    @Test
    void a_node_that_has_the_taint_for_one_of_its_groups_or_has_lost_it_keeps_nothing() {
        List<Node> nodes = of("banana", 0, 20);
        OrphanTaints found = find(nodes);
        Node first = nodes.get(0);
        assertThat(found.of(first, List.of())).extracting(Group::name).containsExactly("dedicated=banana");
        assertThat(found.of(first, List.of(group("banana").ready()))).isEmpty();
        assertThat(found.of(first, List.of(group("cherry").ready()))).hasSize(1);
        assertThat(found.of(node("n0"), List.of())).isEmpty();
        assertThat(found.of(of("banana", 20, 21).get(0), List.of())).as("it was not there at the start").isEmpty();
        assertThat(found.of(of("cherry", 0, 1).get(0), List.of())).as("another taint").isEmpty();
        assertThat(find(nodes, group("banana").names("n0")).of(first, List.of())).isEmpty();
    }

    @Test
    void taints_that_no_group_has_set_are_nobodys() {
        List<Node> foreign = IntStream.range(0, 20)
                .mapToObj(i -> node("n" + i, Taint.of("dedicated", "banana", "NoSchedule"))).toList();
        assertThat(find(foreign).nodes()).isEmpty();
    }

    @Test
    void two_effects_of_one_taint_are_one_node() {
        List<Node> nodes = IntStream.range(0, 6).mapToObj(i -> after(node("n" + i), group("banana").names("n" + i)
                .effects(DedicatedEffect.NoSchedule, DedicatedEffect.NoExecute))).toList();
        assertThat(nodes.get(0).taints()).hasSize(2);
        assertThat(find(nodes).nodes()).isEmpty();
    }
}
