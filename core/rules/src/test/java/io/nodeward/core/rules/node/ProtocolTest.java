package io.nodeward.core.rules.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Fleet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every interleaving of seven events (the owner is edited, others edit the Node, a write conflicts, the controller
 * crashes between read and write, the Node registers again, its annotation is lost) with any number of the controller's
 * steps, from current and from stale copies. The broken planners show that the check can fail.
 */
class ProtocolTest {
    @Test
    void nothing_goes_wrong_in_any_interleaving_of_four_events() {
        assertNothingGoesWrong(4, 100_000);
    }

    /** Each further event makes two to three times as many states. */
    @Test
    @Tag("deep")
    void nothing_goes_wrong_in_any_interleaving() {
        assertNothingGoesWrong(7, 1_000_000);
    }

    private static void assertNothingGoesWrong(int depth, int statesAtLeast) {
        ProtocolExplorer explorer = new ProtocolExplorer(new ProtocolModel(ProtocolTest::plan));
        long start = System.nanoTime();

        String wrong = explorer.explore(depth);

        System.out.printf("protocol: %,d states at depth %d in %,d ms%n",
                explorer.count(), depth, (System.nanoTime() - start) / 1_000_000);
        assertThat(wrong).as("a counterexample").isNull();
        assertThat(explorer.count()).as("states").isGreaterThan(statesAtLeast);
    }

    @Test
    void a_write_that_does_not_test_the_taints_is_caught() {
        assertThat(counterexample(new ProtocolModel(ProtocolTest::plan,
                node -> ProtocolModel.tested(node).subList(1, 1 + NodeChange.PLANNED_FROM.size()))))
                .startsWith("a foreign taint is lost or came back");
    }

    @Test
    void a_write_that_does_not_test_what_is_tracked_is_caught() {
        assertThat(counterexample(new ProtocolModel(ProtocolTest::plan, node -> List.of(node.taints()))))
                .isNotEmpty();
    }

    @Test
    void a_planner_that_adds_once_taints_whenever_they_are_missing_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            List<Taint> missing = new ArrayList<>(plan(owner, Fleet.fresh()).taints().orElse(List.of()));
            List<Taint> after = new ArrayList<>(c.taints().orElse(node.taints()));
            missing.removeIf(taint -> after.stream().anyMatch(t -> t.id().equals(taint.id())));
            after.addAll(missing);
            return missing.isEmpty() ? c : taints(c, after);
        })).startsWith("an OnInitialization taint is set a second time");
    }

    @Test
    void a_planner_that_drops_the_initialization_taint_in_a_write_of_its_own_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange first = NodePlanner.plan(owner, node, NodePolicy.forMachines().withTaints(false)).change();
            return first.isEmpty() ? plan(owner, node) : first;
        })).startsWith("the initialization taint is gone before the declared taints are there");
    }

    @Test
    void a_planner_that_brings_labels_later_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            return c.taints().isEmpty()
                    ? c
                    : new NodeChange(c.node(), c.resourceVersion(), c.taints(), Collections.emptySortedMap(),
                            new TreeMap<>(Map.of(ClusterApi.TAINTS_FROM_MACHINE,
                                    c.annotations().getOrDefault(ClusterApi.TAINTS_FROM_MACHINE, tracking(node)))));
        })).startsWith("the initialization taint is gone before the labels are there");
    }

    @Test
    void a_planner_that_never_removes_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            List<Taint> after = new ArrayList<>(c.taints().orElse(List.of()));
            node.taints().stream()
                    .filter(t -> !t.equals(Fleet.UNINITIALIZED))
                    .filter(t -> after.stream().noneMatch(kept -> kept.id().equals(t.id())))
                    .forEach(after::add);
            return c.taints().isEmpty() ? c : taints(c, after);
        })).startsWith("an owned taint stays although it is no longer declared");
    }

    @Test
    void a_planner_that_removes_what_it_does_not_own_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            List<Taint> after = new ArrayList<>(c.taints().orElse(node.taints()));
            List<Taint> declared = plan(owner, Fleet.fresh()).taints().orElse(List.of());
            boolean removes = after.removeIf(
                    t -> t.key().equals("a") && declared.stream().noneMatch(d -> d.id().equals(t.id())));
            return removes ? taints(c, after) : c;
        })).startsWith("a taint that is not ours is removed");
    }

    @Test
    void a_planner_that_is_never_content_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            return c.taints().isPresent() ? c : taints(c, node.taints());
        })).startsWith("the controller writes without end");
    }

    @Test
    void a_planner_that_forgets_to_track_is_caught() {
        assertThat(counterexample((owner, node) -> {
            NodeChange c = plan(owner, node);
            SortedMap<String, Optional<String>> annotations = new TreeMap<>(c.annotations());
            annotations.remove(ClusterApi.TAINTS_FROM_MACHINE);
            if (tracking(node).isEmpty()) {
                annotations.put(ClusterApi.TAINTS_FROM_MACHINE, Optional.of(""));
            }
            return new NodeChange(c.node(), c.resourceVersion(), c.taints(), c.labels(), annotations);
        })).startsWith("the tracking annotation is wrong at rest");
    }

    private static String counterexample(BiFunction<Owner, Node, NodeChange> planner) {
        return counterexample(new ProtocolModel(planner));
    }

    private static String counterexample(ProtocolModel model) {
        String wrong = new ProtocolExplorer(model).explore(3);
        assertThat(wrong).as("no counterexample within 3 events").isNotNull();
        assertThat(wrong.lines().count()).as("the way there is told: %s", wrong).isGreaterThan(1);
        return wrong;
    }

    private static NodeChange plan(Owner owner, Node node) {
        return NodePlanner.plan(owner, node, NodePolicy.forMachines()).change();
    }

    private static NodeChange taints(NodeChange c, List<Taint> taints) {
        return new NodeChange(c.node(), c.resourceVersion(), Optional.of(taints), c.labels(), c.annotations());
    }

    private static Optional<String> tracking(Node node) {
        return Optional.ofNullable(node.metadata().annotations().get(ClusterApi.TAINTS_FROM_MACHINE));
    }
}
