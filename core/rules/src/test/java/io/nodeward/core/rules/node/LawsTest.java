package io.nodeward.core.rules.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for every Machine, Node and policy. A failure prints the seed that leads to it. */
class LawsTest {
    @Test
    void planning_the_result_again_changes_nothing() {
        forAll(c -> assertThat(c.plan(c.after()).change().isEmpty())
                .as("second plan: %s", c.plan(c.after()).change())
                .isTrue());
    }

    @Test
    void foreign_taints_survive_byte_for_byte_and_in_their_order() {
        forAll(c -> {
            List<String> foreign = c.json(c.node.taints(), c::isForeign);
            assertThat(c.json(c.after().taints(), c::isForeign)).isEqualTo(foreign);
        });
    }

    @Test
    void an_owned_taint_that_is_right_keeps_its_element() {
        forAll(c -> {
            Set<Taint> right = c.node.taints().stream()
                    .filter(t -> c.owner.taints().contains(
                            new MachineTaint(t.key(), t.value(), t.effect(), MachineTaint.ALWAYS)))
                    .filter(t -> c.owner.taints().stream().filter(d -> c.isSame(d, t)).count() == 1)
                    .filter(t -> !t.key().equals(ClusterApi.UNINITIALIZED_TAINT))
                    .collect(Collectors.toSet());
            assertThat(c.after().taints()).containsAll(right);
        });
    }

    @Test
    void the_order_of_the_owners_list_is_irrelevant() {
        forAll(c -> {
            List<MachineTaint> shuffled = new ArrayList<>(c.owner.taints());
            Collections.shuffle(shuffled, new Random(c.seed));
            Machine m = c.owner;
            Machine other =
                    new Machine(m.metadata(), m.clusterName(), m.providerId(), m.nodeName(), shuffled, List.of());

            Node after = new Case(c.seed, other, c.node, c.policy).after();

            assertThat(new HashSet<>(after.taints())).isEqualTo(new HashSet<>(c.after().taints()));
            assertThat(after.metadata()).isEqualTo(c.after().metadata());
        });
    }

    @Test
    void a_change_holds_nothing_that_is_there_already() {
        forAll(c -> {
            NodeChange change = c.plan(c.node).change();
            assertThat(change.taints()).isNotEqualTo(Optional.of(c.node.taints()));
            change.labels().forEach((key, value) -> assertThat(value.orElse(null))
                    .as("label %s", key)
                    .isNotEqualTo(c.node.metadata().labels().get(key)));
            change.annotations().forEach((key, value) -> assertThat(value.orElse(null))
                    .as("annotation %s", key)
                    .isNotEqualTo(c.node.metadata().annotations().get(key)));
        });
    }

    @Test
    void a_node_never_gets_two_taints_of_one_identity_or_one_it_would_refuse() {
        forAll(c -> {
            List<TaintId> ids = c.after().taints().stream().map(Taint::id).toList();
            assertThat(ids).doesNotHaveDuplicates();
            assertThat(c.after().taints()).filteredOn(t -> !c.node.taints().contains(t))
                    .allMatch(t -> !t.value().contains(" ") && !t.key().contains(" ") && !t.effect().equals("NoRun"));
        });
    }

    @Test
    void the_tracking_text_names_taints_that_are_declared_and_on_the_node_sorted_by_bytes() {
        forAll(c -> {
            String text = c.after().metadata().annotations().get(ClusterApi.TAINTS_FROM_MACHINE);
            if (!c.policy.propagatesTaints()) {
                assertThat(text).isEqualTo(c.node.metadata().annotations().get(ClusterApi.TAINTS_FROM_MACHINE));
                return;
            }
            List<String> entries = text.isEmpty() ? List.of() : List.of(text.split(","));
            assertThat(entries).doesNotHaveDuplicates().isSorted();
            Set<String> declared = c.owner.taints().stream()
                    .map(t -> t.key() + ":" + t.effect())
                    .collect(Collectors.toSet());
            if (c.annotated().findAny().isPresent()) { // it may be one that cannot be read, and then nothing goes
                declared.addAll(List.of(c.node.metadata().annotations()
                        .getOrDefault(ClusterApi.TAINTS_FROM_MACHINE, "").split(",")));
            }
            assertThat(declared).containsAll(entries);
        });
    }

    @Test
    void the_tracking_text_of_annotations_is_written_only_where_a_taint_is_or_was_declared_so() {
        forAll(c -> {
            String before = c.node.metadata().annotations().get(TaintAnnotations.TRACKING);
            if (!c.policy.propagatesTaints() || before == null && c.annotated().findAny().isEmpty()) {
                assertThat(c.after().metadata().annotations().get(TaintAnnotations.TRACKING)).isEqualTo(before);
            }
        });
    }

    /** So a write may hold on them alone: what others do to the rest comes to the same before and after it. */
    @Test
    void only_taints_and_what_a_plan_is_made_from_decide() {
        forAll(c -> {
            Node other = c.withOthersTexts(new Generated(-c.seed - 1).node());
            NodeChange was = c.plan(c.node).change();
            NodeChange is = c.plan(other).change();
            Node late = was.applyTo(other, "43");
            Node repaired = c.plan(late).change().applyTo(late, "44");
            assertThat(is.taints()).isEqualTo(was.taints());
            assertThat(c.decided(repaired)).isEqualTo(c.decided(is.applyTo(other, "44")));
        });
    }

    private static void forAll(Consumer<Case> law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Generated generated = new Generated(seed);
            Case c = new Case(seed, generated.machine(generated.declared()), generated.node(), generated.policy());
            try {
                law.accept(c);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + c, e);
            }
        }
    }

    private record Case(long seed, Machine owner, Node node, NodePolicy policy) {
        NodePlan plan(Node from) {
            return NodePlanner.plan(Owner.of(owner), from, policy);
        }

        Node after() {
            return plan(node).change().applyTo(node, "43");
        }

        /** Others have changed all labels and annotations but those that plans are made from. */
        Node withOthersTexts(Node texts) {
            Metadata m = node.metadata();
            Map<String, String> annotations = new TreeMap<>(texts.metadata().annotations());
            for (String key : NodeChange.PLANNED_FROM) {
                annotations.remove(key);
                Optional.ofNullable(m.annotations().get(key)).ifPresent(text -> annotations.put(key, text));
            }
            return new Node(new Metadata(m.key(), m.uid(), "42", texts.metadata().labels(), annotations, m.owners(),
                    m.deleting()), node.providerId(), node.taints());
        }

        /** Without what was ours and others have put back while it was let go: whose that is depends on who came first. */
        Node decided(Node end) {
            Metadata m = end.metadata();
            return new Node(new Metadata(m.key(), m.uid(), "", without(m.labels(), ClusterApi.LABELS_FROM_MACHINE),
                    without(m.annotations(), ClusterApi.ANNOTATIONS_FROM_MACHINE), m.owners(), m.deleting()),
                    end.providerId(), end.taints());
        }

        private Map<String, String> without(Map<String, String> texts, String tracking) {
            Map<String, String> rest = new TreeMap<>(texts);
            List<String> ours = List.of(node.metadata().annotations().getOrDefault(tracking, "").split(","));
            Set<String> still =
                    new HashSet<>(List.of(after().metadata().annotations().getOrDefault(tracking, "").split(",")));
            rest.keySet().removeIf(key -> ours.contains(key) && !still.contains(key));
            return rest;
        }

        List<String> json(List<Taint> taints, Predicate<Taint> which) {
            return taints.stream().filter(which).map(Taint::json).toList();
        }

        /** Not tracked, not declared, and not the initialization taint where it is ours to remove. */
        boolean isForeign(Taint taint) {
            boolean tracked = isTracked(ClusterApi.TAINTS_FROM_MACHINE, taint)
                    || isTracked(TaintAnnotations.TRACKING, taint);
            boolean initialization =
                    taint.key().equals(ClusterApi.UNINITIALIZED_TAINT) && taint.effect().equals("NoSchedule");
            if (initialization) {
                return !policy.removesUninitialized();
            }
            return !policy.propagatesTaints()
                    || taint.key().equals(ClusterApi.OUTDATED_REVISION_TAINT)
                    || !tracked && owner.taints().stream().noneMatch(declared -> isSame(declared, taint))
                            && annotated().noneMatch(text -> text.startsWith(taint.key())
                                    && text.contains(":" + taint.effect()));
        }

        private boolean isTracked(String annotation, Taint taint) {
            String tracking = node.metadata().annotations().getOrDefault(annotation, "");
            return Arrays.asList(tracking.split(",")).contains(taint.id().toString());
        }

        /** What annotations declare. */
        Stream<String> annotated() {
            return owner.metadata().annotations().entrySet().stream()
                    .filter(annotation -> annotation.getKey().startsWith(TaintAnnotations.PREFIX))
                    .map(Map.Entry::getValue);
        }

        boolean isSame(MachineTaint declared, Taint taint) {
            return declared.key().equals(taint.key()) && declared.effect().equals(taint.effect());
        }
    }
}
