package io.nodeward.core.rules.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.label.LabelDomains;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What holds for every Node and all groups that it has. A failure prints the seed that leads to it. */
class DedicatedNodeLawsTest {
    private static final List<String> KEYS = List.of("dedicated", "team", "example.com/a");
    private static final List<String> VALUES = List.of("", "a", "b");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    @Test
    void planning_the_result_again_changes_nothing() {
        forAll(c -> assertThat(DedicatedNodePlan.of(c.after(), c.groups).change().isEmpty())
                .as("second plan: %s", DedicatedNodePlan.of(c.after(), c.groups).change()).isTrue());
    }

    @Test
    void taints_that_are_not_tracked_stay_byte_for_byte_and_in_their_order() {
        forAll(c -> {
            List<TaintId> tracked = c.tracked();
            List<Taint> others = c.node.taints().stream().filter(taint -> !tracked.contains(taint.id())).toList();
            assertThat(c.after().taints().stream().filter(others::contains).toList()).isEqualTo(others);
        });
    }

    @Test
    void a_write_that_is_undone_leaves_the_node_of_nobody_as_it_was() {
        forAll(c -> {
            Node clean = c.cleaned();
            Node end = DedicatedNodePlan.of(clean, c.groups).change().applyTo(clean, "42");
            assertThat(DedicatedNodePlan.of(end, List.of()).change().applyTo(end, "42")).isEqualTo(clean);
        });
    }

    @Test
    void the_order_of_the_groups_is_irrelevant() {
        forAll(c -> {
            List<Placed> shuffled = new ArrayList<>(c.groups);
            Collections.shuffle(shuffled, new Random(c.seed));
            assertThat(DedicatedNodePlan.of(c.node, shuffled).change())
                    .isEqualTo(DedicatedNodePlan.of(c.node, c.groups).change());
        });
    }

    @Test
    void a_node_never_gets_two_taints_of_one_identity_or_two_managed_values_of_one_key() {
        forAll(c -> {
            Node after = c.after();
            assertThat(after.taints().stream().map(Taint::id)).doesNotHaveDuplicates();
            List<TaintId> tracked = tracked(after);
            // Without its label a taint stays as it was, whatever a kubelet has made the annotation list.
            Map<String, List<String>> values = after.taints().stream().filter(taint -> tracked.contains(taint.id()))
                    .filter(taint -> after.metadata().labels().containsKey(LabelDomains.restricted(taint.key())))
                    .collect(Collectors.groupingBy(Taint::key, Collectors.mapping(Taint::value, Collectors.toList())));
            assertThat(values.values()).allMatch(each -> each.stream().distinct().count() == 1);
        });
    }

    @Test
    void a_change_holds_nothing_that_is_there_already() {
        forAll(c -> {
            NodeChange change = DedicatedNodePlan.of(c.node, c.groups).change();
            change.taints().ifPresent(taints -> assertThat(taints).isNotEqualTo(c.node.taints()));
            change.labels().forEach((key, value) -> assertThat(value.orElse(null))
                    .isNotEqualTo(c.node.metadata().labels().get(key)));
            change.annotations().forEach((key, value) -> assertThat(value.orElse(null))
                    .isNotEqualTo(c.node.metadata().annotations().get(key)));
        });
    }

    @Test
    void without_a_conflict_the_node_has_all_that_its_groups_declare() {
        AtomicInteger declared = new AtomicInteger();
        forAll(c -> {
            if (!DedicatedNodePlan.of(c.node, c.groups).conflicts().isEmpty()) {
                return;
            }
            List<String> taints = c.after().taints().stream().map(NodeFit::text).toList();
            for (Placed placed : c.groups) {
                Group group = placed.group();
                assertThat(c.after().metadata().labels()).containsEntry(group.labelKey(), group.spec().taint().value());
                for (Taint taint : group.taints()) {
                    declared.incrementAndGet();
                    boolean standIn = taint.effect().equals("NoExecute") && !placed.noExecute();
                    assertThat(taints).containsAnyOf(NodeFit.text(taint), standIn
                            ? NodeFit.text(Taint.of(taint.key(), taint.value(), "NoSchedule"))
                            : NodeFit.text(taint));
                }
            }
        });
        assertThat(declared.get()).as("taints of groups without a conflict").isGreaterThan(Cases.COUNT / 4);
    }

    @Test
    void no_node_newly_gets_no_execute_that_is_not_allowed() {
        forAll(c -> {
            List<Placed> held = c.groups.stream().map(placed -> new Placed(placed.group(), false)).toList();
            Node after = DedicatedNodePlan.of(c.node, held).change().applyTo(c.node, "42");
            assertThat(after.taints()).filteredOn(taint -> taint.effect().equals("NoExecute"))
                    .allMatch(taint -> c.node.taints().stream().anyMatch(
                            old -> old.id().equals(taint.id()) && old.value().equals(taint.value())));
        });
    }

    private static void forAll(Consumer<Case> law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Case c = Case.of(seed);
            try {
                law.accept(c);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + c.node + c.groups.stream()
                        .map(placed -> placed.group().spec() + " " + placed.noExecute()).toList(), e);
            }
        }
    }

    private static List<TaintId> tracked(Node node) {
        String text = node.metadata().annotations().getOrDefault(DedicatedAnnotations.TAINTS, "");
        return text.isEmpty() ? List.of() : List.of(text.split(",")).stream()
                .map(entry -> new TaintId(entry.split(":")[0], entry.split(":")[1])).toList();
    }

    private record Case(long seed, Node node, List<Placed> groups) {
        static Case of(long seed) {
            Random random = Cases.random(seed);
            List<Placed> groups = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                Group group = Make.group("g" + i).taint(one(random, KEYS), one(random, VALUES),
                        one(random, List.of(DedicatedEffect.values())), one(random, List.of(DedicatedEffect.values())))
                        .ready();
                groups.add(new Placed(group, random.nextBoolean()));
            }
            return new Case(seed, node(random), groups);
        }

        Node after() {
            return DedicatedNodePlan.of(node, groups).change().applyTo(node, "42");
        }

        List<TaintId> tracked() {
            return DedicatedNodeLawsTest.tracked(node);
        }

        /** Without annotations, and no label beside a taint of its value: all is others', and nobody keeps it. */
        Node cleaned() {
            Map<String, String> labels = new TreeMap<>(node.metadata().labels());
            node.taints().forEach(taint -> labels.remove(LabelDomains.restricted(taint.key()), taint.value()));
            return Make.node("n", labels, Map.of(), node.taints().toArray(Taint[]::new));
        }

        private static Node node(Random random) {
            Map<TaintId, Taint> taints = new LinkedHashMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                String key = one(random, KEYS);
                String effect = one(random, EFFECTS);
                String value = one(random, VALUES);
                taints.put(new TaintId(key, effect),
                        new Taint(key, value, effect, "{\"later\":" + random.nextInt() + "}"));
            }
            Map<String, String> labels = new TreeMap<>();
            for (String key : KEYS) {
                if (random.nextInt(3) == 0) {
                    labels.put(Make.group("g").taint(key, "").ready().labelKey(), one(random, VALUES));
                }
            }
            Map<String, String> annotations = new TreeMap<>();
            maybe(random, annotations, DedicatedAnnotations.TAINTS, ids(random));
            maybe(random, annotations, DedicatedAnnotations.LABELS, String.join(",", labels.keySet()));
            maybe(random, annotations, ClusterApi.TAINTS_FROM_MACHINE, ids(random));
            return Make.node("n", labels, annotations, taints.values().toArray(Taint[]::new));
        }

        private static String ids(Random random) {
            List<String> ids = new ArrayList<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                ids.add(one(random, KEYS) + ":" + one(random, EFFECTS));
            }
            return String.join(",", ids);
        }

        private static void maybe(Random random, Map<String, String> annotations, String key, String text) {
            if (random.nextBoolean()) {
                annotations.put(key, text);
            }
        }

        private static <T> T one(Random random, List<T> of) {
            return of.get(random.nextInt(of.size()));
        }
    }
}
