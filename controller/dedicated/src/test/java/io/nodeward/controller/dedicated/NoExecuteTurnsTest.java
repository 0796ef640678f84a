package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When Nodes of groups get {@code NoExecute}: one after the other, where it evicts. */
class NoExecuteTurnsTest {
    private final DedicatedFixture cluster = new DedicatedFixture(6);

    @Test
    void nodes_get_no_execute_one_after_the_other_and_what_evicts_nobody_at_once() {
        List<String> names = List.of("n1", "n2", "n3");
        names.forEach(cluster::nodeWithPod);
        cluster.confirm("g", 3);
        assertThat(cluster.reconcileNode("n1").recheck()).isEmpty();
        assertThat(cluster.reconcileNode("n2").recheck()).hasValueSatisfying(
                again -> assertThat(again.after()).isEqualTo(Duration.ofSeconds(10)));
        assertThat(cluster.reconcileNode("n3").recheck()).hasValueSatisfying(
                again -> assertThat(again.after()).isEqualTo(Duration.ofSeconds(20)));
        assertThat(cluster.taints("n1")).contains("dedicated=g:NoExecute");
        assertThat(cluster.taints("n2")).containsExactly("dedicated=g:NoSchedule");
        assertThat(cluster.registry.get("nodeward.dedicated.noexecute.waiting").gauge().value()).isEqualTo(2);
        assertThat(cluster.reconcileNode("n2").change().isEmpty()).isTrue();
        cluster.pass(Duration.ofSeconds(10));
        assertThat(cluster.reconcileNode("n2").recheck()).isEmpty();
        cluster.reconcileNode("n3");
        assertThat(cluster.taints("n2")).contains("dedicated=g:NoExecute");
        assertThat(cluster.taints("n3")).containsExactly("dedicated=g:NoSchedule");
    }

    @Test
    void another_value_of_no_execute_waits_for_its_turn_too() {
        List<String> names = List.of("n1", "n2");
        names.forEach(cluster::nodeWithPod);
        cluster.confirm("g", 2);
        names.forEach(name -> {
            cluster.pass(Duration.ofSeconds(10));
            cluster.reconcileNode(name);
        });
        cluster.pass(Duration.ofSeconds(10));
        Map<String, Object> spec = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), 2));
        spec.put("taint", Map.of("key", "dedicated", "value", "other", "effects", List.of("NoExecute")));
        cluster.declare("g", spec, "Enforce");
        cluster.reconcileGroup("g");
        names.forEach(cluster::reconcileNode);
        assertThat(cluster.taints("n1")).containsExactly("dedicated=other:NoExecute");
        assertThat(cluster.taints("n2")).containsExactly("dedicated=other:NoSchedule");
    }

    @Test
    void nodes_that_evict_nobody_wait_neither_for_their_turn_nor_for_the_confirmation_of_others() {
        cluster.nodeWithPod("full");
        List<String> empty = List.of("n1", "n2", "n3");
        empty.forEach(name -> cluster.node(name, Map.of("pool", "g")));
        cluster.tolerating("kube-system", "proxy", "", "", "n1");
        cluster.confirm("g", 0);
        cluster.reconcileNode("full");
        empty.forEach(name -> assertThat(cluster.reconcileNode(name).recheck()).isEmpty());
        empty.forEach(name -> assertThat(cluster.taints(name)).contains("dedicated=g:NoExecute"));
        assertThat(cluster.taints("full")).containsExactly("dedicated=g:NoSchedule");
        cluster.confirm("g", 1);
        assertThat(cluster.reconcileNode("full").recheck()).as("nobody has used a turn").isEmpty();
        assertThat(cluster.taints("full")).contains("dedicated=g:NoExecute");
    }

    @Test
    void of_two_groups_of_a_node_only_the_one_that_evicts_waits() {
        cluster.node("n", Map.of("pool", "g"));
        cluster.tolerating("cherry", "one", "quiet", "", "n");
        cluster.confirm("g", 0);
        Map<String, Object> quiet = new HashMap<>(DedicatedFixture.pool("g"));
        quiet.put("taint", Map.of("key", "quiet", "effects", List.of("NoExecute")));
        cluster.declare("quiet", quiet, "Enforce");
        cluster.reconcileGroup("quiet");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactlyInAnyOrder("dedicated=g:NoSchedule", "quiet=:NoExecute");
    }

    @Test
    void each_group_has_a_pace_of_its_own() {
        for (String group : List.of("g", "h")) {
            for (String name : List.of(group + "1", group + "2")) {
                cluster.nodeWithPod(name, group);
            }
            cluster.confirm(group, 2);
            assertThat(cluster.reconcileNode(group + "1").recheck()).isEmpty();
            assertThat(cluster.reconcileNode(group + "2").recheck()).hasValueSatisfying(
                    again -> assertThat(again.after()).isEqualTo(Duration.ofSeconds(10)));
        }
        assertThat(cluster.taints("h1")).contains("dedicated=h:NoExecute");
    }

    @Test
    void a_node_of_several_groups_gets_the_taint_of_one_at_each_turn() {
        List<String> names = List.of("n1", "n2", "n3");
        names.forEach(cluster::nodeWithPod);
        declare("h", "other");
        cluster.confirm("g", 3);
        names.forEach(cluster::reconcileNode);
        assertThat(noExecute(names)).as("g's first, and h's").containsExactlyInAnyOrder(
                "n1 dedicated=g:NoExecute", "n2 other=:NoExecute");
        names.forEach(cluster::reconcileNode);
        assertThat(noExecute(names)).as("at the same time").hasSize(2);
        for (int turn = 2; turn <= 3; turn++) {
            cluster.pass(Duration.ofSeconds(10));
            names.forEach(cluster::reconcileNode);
            names.forEach(cluster::reconcileNode);
            assertThat(noExecute(names)).filteredOn(taint -> taint.contains("dedicated=g")).hasSize(turn);
            assertThat(noExecute(names)).filteredOn(taint -> taint.contains("other=")).hasSize(turn);
        }
    }

    @Test
    void groups_with_the_same_taint_have_one_pace() {
        List<String> names = List.of("n1", "n2", "n3");
        names.forEach(cluster::nodeWithPod);
        declare("h", "dedicated", "g");
        cluster.confirm("g", 3);
        names.forEach(cluster::reconcileNode);
        names.forEach(cluster::reconcileNode);
        assertThat(noExecute(names)).containsExactly("n1 dedicated=g:NoExecute");
        cluster.groups.remove(cluster.groups.get(ObjectKey.clusterScoped("h")).orElseThrow());
        cluster.reconcileGroup("h");
        names.forEach(cluster::reconcileNode);
        assertThat(noExecute(names)).as("one of the two groups is gone").hasSize(1);
    }

    @Test
    void a_group_that_is_not_confirmed_any_more_at_its_turn_leaves_it_to_the_nodes_other_group() {
        cluster.nodeWithPod("n");
        declare("h", "other");
        cluster.confirm("g", 1);
        cluster.pod("cherry", "late", "n");
        cluster.reconcileNode("n");
        assertThat(noExecute(List.of("n"))).containsExactly("n other=:NoExecute");
    }

    @Test
    void a_node_whose_confirmation_is_not_known_for_a_moment_keeps_its_token_and_asks_again() {
        List.of("n1", "n2").forEach(cluster::nodeWithPod);
        cluster.confirm("g", 2);
        cluster.whileLooking = key -> {
            throw new IllegalStateException("planted");
        };
        cluster.node("unseen", Map.of());
        assertThat(cluster.reconcileNode("n1").recheck()).contains(NodeReleases.UNKNOWN);
        assertThat(cluster.taints("n1")).containsExactly("dedicated=g:NoSchedule");
        assertThat(cluster.reconcileNode("n2").recheck()).as("it is behind the other").hasValueSatisfying(
                again -> assertThat(again.after()).isEqualTo(Duration.ofSeconds(10)));
        cluster.whileLooking = key -> {};
        cluster.pass(Duration.ofSeconds(1));
        cluster.settle();
        assertThat(cluster.reconcileNode("n1").recheck()).as("nobody had to confirm anything again").isEmpty();
        assertThat(cluster.taints("n1")).contains("dedicated=g:NoExecute");
    }

    @Test
    void what_stands_in_for_a_no_execute_that_another_manager_keeps_off_stays_at_each_turn() {
        cluster.nodeWithPod("n");
        Node node = cluster.node("n");
        cluster.nodes.put(new Node(node.metadata(), "", List.of(Taint.of("dedicated", "theirs", "NoExecute"))));
        cluster.declare("g", DedicatedFixture.with(DedicatedFixture.pool("g"), 1), "Enforce", "NoExecute");
        cluster.reconcileGroup("g");
        cluster.reconcileNode("n");
        assertThat(cluster.taints("n")).containsExactly("dedicated=theirs:NoExecute", "dedicated=g:NoSchedule");
        for (int turn = 0; turn < 3; turn++) {
            cluster.pass(Duration.ofSeconds(10));
            assertThat(cluster.reconcileNode("n").change().isEmpty()).isTrue();
        }
        assertThat(cluster.exchange.nodes().of(ObjectKey.clusterScoped("n"), "g")).hasValueSatisfying(
                by -> assertThat(by.message()).contains("dedicated=theirs:NoExecute, which something else manages"));
    }

    @Test
    void a_group_whose_taint_somebody_else_keeps_off_takes_no_turn_from_the_nodes_other_group() {
        cluster.nodeWithPod("n");
        Node node = cluster.node("n");
        cluster.nodes.put(new Node(node.metadata(), "", List.of(Taint.of("dedicated", "theirs", "NoExecute"))));
        declare("h", "other");
        cluster.confirm("g", 1);
        cluster.reconcileNode("n");
        assertThat(noExecute(List.of("n"))).containsExactlyInAnyOrder(
                "n dedicated=theirs:NoExecute", "n other=:NoExecute");
    }

    private void declare(String group, String key, String... value) {
        Map<String, Object> spec = new HashMap<>(DedicatedFixture.with(DedicatedFixture.pool("g"), 3));
        spec.put("taint", Map.of("key", key, "value", String.join("", value), "effects", List.of("NoExecute")));
        cluster.declare(group, spec, "Enforce");
        cluster.reconcileGroup(group);
    }

    private List<String> noExecute(List<String> names) {
        return names.stream().flatMap(name -> cluster.taints(name).stream()
                .filter(taint -> taint.endsWith("NoExecute")).map(taint -> name + " " + taint)).toList();
    }
}
