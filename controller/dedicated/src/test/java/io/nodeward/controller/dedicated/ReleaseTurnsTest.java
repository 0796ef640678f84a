package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Author;
import io.nodeward.core.rules.dedicated.Declared;
import io.nodeward.core.rules.dedicated.PodAdmission;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Result;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When Nodes lose the taint of a group that gives them up: one after the other, if they are many. */
class ReleaseTurnsTest {
    private static final Duration TURN = Duration.ofSeconds(6);

    private final DedicatedFixture cluster = new DedicatedFixture(60);
    private final List<String> names = names(0, 20);

    @BeforeEach
    void twenty() {
        names.forEach(name -> cluster.node(name, Map.of("pool", "g")));
        cluster.declare("g", of(names), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        names.forEach(cluster::reconcileNode);
        assertThat(tainted()).isEqualTo(names);
    }

    private static List<String> names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "n%02d".formatted(i)).toList();
    }

    private static Map<String, Object> of(List<String> names) {
        return Map.of("nodes", Map.of("names", names), "who", Map.of("namespaces", List.of("banana")));
    }

    private List<String> tainted() {
        return names.stream().filter(name -> !cluster.taints(name).isEmpty()).toList();
    }

    private void reconcileAll() {
        names.forEach(cluster::reconcileNode);
    }

    private Optional<String> reason(Decision decision) {
        return decision instanceof Decision.Blocked blocked ? Optional.of(blocked.by().reason()) : Optional.empty();
    }

    private double waiting() {
        return cluster.registry.get("nodeward.dedicated.release.waiting").gauge().value();
    }

    @Test
    void the_first_loses_its_taint_after_a_minute_and_the_others_at_the_pace() {
        cluster.declare("g", of(names(19, 20)), "Enforce", "NoSchedule");
        assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        assertThat(waiting()).isEqualTo(19);
        assertThat(cluster.reconcileNode("n00").recheck()).hasValueSatisfying(
                again -> assertThat(again.after()).isEqualTo(Duration.ofMinutes(1)));
        cluster.pass(Duration.ofMinutes(1).minusMillis(1));
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        cluster.pass(Duration.ofMillis(1));
        reconcileAll();
        assertThat(tainted()).hasSize(19);
        for (int left = 18; left > 0; left--) {
            cluster.pass(TURN);
            reconcileAll();
            cluster.reconcileGroup("g");
            assertThat(tainted()).hasSize(left);
        }
        assertThat(tainted()).containsExactly("n19");
        assertThat(waiting()).isZero();
        assertThat(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow().spec().applied().orElseThrow()
                .nodes().names()).containsExactly("n19");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_node_whose_groups_are_not_known_for_a_moment_keeps_its_taint_and_its_place() {
        cluster.declare("g", of(names(19, 20)), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        reconcileAll();
        assertThat(waiting()).isEqualTo(19);
        cluster.pass(Duration.ofMinutes(1));
        cluster.whileLooking = key -> {
            throw new IllegalStateException("planted");
        };
        cluster.nodes.put(cluster.relabelled(cluster.node("n00"), Map.of("edited", "")));
        assertThat(cluster.reconcileNode("n01").recheck()).contains(
                new Result.RequeueAfter(Duration.ofSeconds(1), "what its groups amount to, which is not known"));
        assertThat(tainted()).isEqualTo(names);
        assertThat(waiting()).isEqualTo(19);
    }

    @Test
    void an_edit_that_is_put_back_takes_nothing_more_and_the_next_waits_a_minute_again() {
        cluster.declare("g", of(names(19, 20)), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        reconcileAll();
        cluster.pass(Duration.ofMinutes(1));
        reconcileAll();
        assertThat(tainted()).hasSize(19);
        cluster.declare("g", of(names), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        cluster.pass(Duration.ofMinutes(1));
        reconcileAll();
        assertThat(tainted()).as("the one that has lost it has it again").isEqualTo(names);
        cluster.declare("g", of(names(19, 20)), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        reconcileAll();
        cluster.pass(Duration.ofMinutes(1).minusMillis(1));
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
    }

    /** The status says the same as before, so no object tells of it. */
    @Test
    void the_nodes_of_a_release_that_ends_as_its_edit_is_put_back_or_refused_are_looked_at_again() {
        Set<String> told = new HashSet<>();
        DedicatedWatches watches = new DedicatedWatches(cluster.scope);
        cluster.scope.whenNodesDiffer(
                now -> watches.mapToNodes(now).forEach(node -> told.add(node.name())));
        Map<String, Object> invalid = new HashMap<>(of(names));
        invalid.put("taint", Map.of("key", "node.kubernetes.io/g", "effects", List.of("NoSchedule")));
        List<Runnable> ends = List.of(() -> cluster.declare("g", of(names), "Enforce", "NoSchedule"),
                () -> cluster.declare("g", invalid, "Enforce"));
        for (Runnable end : ends) {
            cluster.declare("g", of(names), "Enforce", "PreferNoSchedule");
            assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
            cluster.settle();
            told.clear();
            end.run();
            assertThat(reason(cluster.reconcileGroup("g")).filter("Releasing"::equals)).isEmpty();
            cluster.settle();
            assertThat(told).containsAll(names);
        }
    }

    @Test
    void enforcement_that_is_left_out_releases_as_an_edit_does() {
        cluster.declare("g", of(names), "Audit", "NoSchedule");
        assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        assertThat(cluster.scope.declared().enforced().all()).hasSize(1);
        cluster.pass(Duration.ofMinutes(1));
        for (int left = 19; left >= 0; left--) {
            reconcileAll();
            assertThat(tainted()).hasSize(left);
            cluster.pass(TURN);
        }
        assertThat(reason(cluster.reconcileGroup("g"))).isEmpty();
        assertThat(cluster.scope.declared().enforced().all()).isEmpty();
    }

    @Test
    void nodes_whose_own_labels_change_wait_for_nothing() {
        cluster.declare("labels", DedicatedFixture.pool("labels"), "Enforce", "NoSchedule");
        List<String> labelled = IntStream.range(0, 20).mapToObj(i -> "l" + i).toList();
        labelled.forEach(name -> cluster.node(name, Map.of("pool", "labels")));
        cluster.reconcileGroup("labels");
        labelled.forEach(cluster::reconcileNode);
        labelled.forEach(name -> {
            cluster.nodes.put(cluster.relabelled(cluster.node(name), Map.of("pool", "other")));
            cluster.reconcileNode(name);
            assertThat(cluster.taints(name)).isEmpty();
        });
    }

    @Test
    void a_group_that_is_deleted_stays_known_until_its_nodes_have_lost_its_taint() {
        cluster.delete("g");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Waiting.class);
        cluster.reconcileGroup("g");
        assertThat(cluster.events).singleElement().asString()
                .startsWith("DedicatedNodes g Releasing the DedicatedNodes was"
                        + " deleted: 20 of 20 Nodes ");
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        assertThat(cluster.scope.declared().ofNewPods().all()).as("strangers are kept out").hasSize(1);
        cluster.pass(Duration.ofMinutes(1));
        for (int left = 19; left >= 0; left--) {
            assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Waiting.class);
            reconcileAll();
            assertThat(tainted()).hasSize(left);
            cluster.pass(TURN);
        }
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Gone.class);
        assertThat(cluster.scope.declared().enforced().all()).isEmpty();
        assertThat(cluster.scope.declared().ofNewPods().all()).isEmpty();
    }

    @Test
    void the_counters_of_a_deleted_group_end_when_its_nodes_have_lost_its_taint() {
        cluster.delete("g");
        cluster.reconcileGroup("g");
        CandidatePod pod = CandidatePod.of(new Metadata(new ObjectKey("banana", "p"), "u", "1", Map.of(), Map.of(),
                List.of(), false), Tree.ABSENT, Tree.ABSENT);
        Declared declared = cluster.scope.declared();
        new PodMeters(cluster.registry).count(
                PodAdmission.of(pod, new Author("jane"), declared.ofNewPods(), declared.members()), true);
        assertThat(cluster.registry.find("nodeward.dedicated.new.pods").tag("group", "g").counters()).hasSize(1);
        reconcileAll();
        cluster.pass(Duration.ofMinutes(1));
        for (int left = 20; left > 0; left--) {
            reconcileAll();
            cluster.pass(TURN);
        }
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Gone.class);
        assertThat(cluster.registry.find("nodeward.dedicated.new.pods").counters()).isEmpty();
    }

    @Test
    void a_node_that_has_lost_the_taint_does_not_get_it_back_before_the_status_says_that_the_release_is_over() {
        cluster.declare("g", of(names(19, 20)), "Enforce", "NoSchedule");
        cluster.reconcileGroup("g");
        reconcileAll();
        cluster.pass(Duration.ofMinutes(1));
        for (int left = 18; left >= 0; left--) {
            reconcileAll();
            cluster.pass(TURN);
        }
        assertThat(tainted()).containsExactly("n19");
        assertThat(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow().spec().applied().orElseThrow()
                .nodes().names()).hasSize(20);
        reconcileAll();
        assertThat(tainted()).containsExactly("n19");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_group_that_is_renamed_gives_up_nothing_as_the_other_has_its_nodes_and_its_taint() {
        Map<String, Object> spec = new HashMap<>(of(names));
        spec.put("taint", Map.of("key", "dedicated", "value", "g", "effects", List.of("NoSchedule")));
        cluster.declare("renamed", spec, "Enforce");
        cluster.reconcileGroup("renamed");
        cluster.delete("g");
        assertThat(cluster.reconcileGroup("g")).isInstanceOf(Decision.Gone.class);
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        assertThat(waiting()).isZero();
        assertThat(cluster.scope.declared().enforced().all()).extracting(group -> group.name())
                .containsExactly("renamed");
    }

    @Test
    void a_group_that_is_created_again_goes_on_from_what_was_in_force() {
        cluster.delete("g");
        cluster.reconcileGroup("g");
        reconcileAll();
        cluster.declare("g", of(names), "Enforce", "NoSchedule");
        assertThat(cluster.scope.declared().enforced().all()).hasSize(1);
        assertThat(reason(cluster.reconcileGroup("g"))).isEmpty();
        reconcileAll();
        cluster.pass(Duration.ofMinutes(2));
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
    }

    @Test
    void a_group_that_is_created_again_without_enforcement_releases_at_the_pace() {
        cluster.delete("g");
        cluster.declare("g", of(names), "Audit", "NoSchedule");
        assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
        cluster.pass(Duration.ofMinutes(1));
        for (int left = 19; left >= 0; left--) {
            reconcileAll();
            cluster.reconcileGroup("g");
            cluster.pass(TURN);
        }
        assertThat(tainted()).isEmpty();
        assertThat(cluster.scope.declared().enforced().all()).isEmpty();
    }

    @Test
    void a_status_that_is_emptied_while_a_group_in_audit_or_warn_releases_does_not_end_the_pace() {
        for (String enforcement : List.of("Audit", "Warn")) {
            cluster.declare("g", of(names), enforcement, "NoSchedule");
            cluster.loseStatus("g");
            reconcileAll();
            assertThat(tainted()).as("before anybody has compared the groups").isEqualTo(names);
            assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
            reconcileAll();
            cluster.pass(Duration.ofMinutes(1));
            reconcileAll();
            cluster.loseStatus("g");
            reconcileAll();
            assertThat(tainted()).hasSize(19);
            cluster.pass(TURN);
            reconcileAll();
            assertThat(tainted()).as("the pace goes on").hasSize(18);
            assertThat(reason(cluster.reconcileGroup("g"))).contains("Releasing");
            assertThat(cluster.groups.get(ObjectKey.clusterScoped("g")).orElseThrow().spec().applied()).isPresent();
            cluster.declare("g", of(names), "Enforce", "NoSchedule");
            cluster.reconcileGroup("g");
            reconcileAll();
            assertThat(tainted()).isEqualTo(names);
        }
    }

    @Test
    void the_status_of_a_group_that_was_off_once_is_missed_like_any_other() {
        names.forEach(name -> cluster.node(name, Map.of()));
        cluster.declare("g", of(names), "Audit", "NoSchedule");
        assertThat(reason(cluster.reconcileGroup("g"))).isEmpty();
        assertThat(cluster.scope.declared().enforced().all()).isEmpty();
        twenty();
        cluster.declare("g", of(names), "Audit", "NoSchedule");
        cluster.loseStatus("g");
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
    }

    @Test
    void a_few_nodes_of_a_group_that_lost_its_status_lose_the_taint_at_once_and_nothing_of_it_stays_known() {
        List<String> few = names(0, 5);
        DedicatedFixture small = new DedicatedFixture(60);
        for (Runnable loses : List.<Runnable>of(() -> small.loseStatus("g"), () -> small.delete("g"))) {
            few.forEach(name -> small.node(name, Map.of()));
            small.declare("g", of(few), "Enforce", "NoSchedule");
            small.reconcileGroup("g");
            few.forEach(small::reconcileNode);
            assertThat(few).noneMatch(name -> small.taints(name).isEmpty());
            loses.run();
            small.declare("g", of(few), "Audit", "NoSchedule");
            few.forEach(small::reconcileNode);
            assertThat(few).allMatch(name -> small.taints(name).isEmpty());
            assertThat(small.scope.declared().enforced().all()).as("until the group is looked at").hasSize(1);
            small.reconcileGroup("g");
            assertThat(small.scope.declared().enforced().all()).isEmpty();
            assertThat(small.scope.declared().ofNewPods().all()).extracting(group -> group.isEnforced())
                    .containsExactly(false);
        }
    }

    @Test
    void after_a_start_nodes_of_groups_that_are_gone_lose_their_taint_one_after_the_other() {
        DedicatedFixture restarted = new DedicatedFixture(60);
        names.forEach(name -> restarted.nodes.put(cluster.node(name)));
        restarted.declare("g", of(names), "Audit", "NoSchedule");
        restarted.reconcileGroup("g");
        names.forEach(name -> assertThat(restarted.reconcileNode(name).change().isEmpty()).isTrue());
        restarted.pass(Duration.ofMinutes(1));
        for (int left = 19; left >= 0; left--) {
            names.forEach(restarted::reconcileNode);
            assertThat(names.stream().filter(name -> !restarted.taints(name).isEmpty())).hasSize(left);
            restarted.pass(TURN);
        }
    }

    @Test
    void after_a_start_each_taint_of_groups_that_are_gone_has_its_own_count_and_its_own_pace() {
        Map<String, List<String>> byGroup =
                Map.of("g", names, "other", names(20, 40), "few", names(40, 50));
        for (String group : List.of("other", "few")) {
            byGroup.get(group).forEach(name -> cluster.node(name, Map.of()));
            cluster.declare(group, of(byGroup.get(group)), "Enforce", "NoSchedule");
            cluster.reconcileGroup(group);
            byGroup.get(group).forEach(cluster::reconcileNode);
        }
        DedicatedFixture restarted = new DedicatedFixture(60);
        names(0, 50).forEach(name -> restarted.nodes.put(cluster.node(name)));
        names(0, 50).forEach(restarted::reconcileNode);
        assertThat(left(restarted, byGroup)).as("ten lose it at once")
                .isEqualTo(Map.of("g", 20, "other", 20, "few", 0));
        restarted.pass(Duration.ofMinutes(1));
        for (int left = 19; left > 10; left--) {
            names(0, 50).forEach(restarted::reconcileNode);
            assertThat(left(restarted, byGroup)).isEqualTo(Map.of("g", left, "other", left, "few", 0));
            restarted.pass(TURN);
        }
    }

    private static Map<String, Integer> left(DedicatedFixture cluster, Map<String, List<String>> byGroup) {
        return byGroup.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey,
                each -> (int) each.getValue().stream().filter(name -> !cluster.taints(name).isEmpty()).count()));
    }

    @Test
    void a_group_that_is_restored_with_fewer_nodes_and_without_its_status_gives_up_the_others_at_the_pace() {
        DedicatedFixture restarted = new DedicatedFixture(60);
        names.forEach(name -> restarted.nodes.put(cluster.node(name)));
        restarted.declare("g", of(names(0, 1)), "Enforce", "NoSchedule");
        names.forEach(restarted::reconcileNode);
        restarted.reconcileGroup("g");
        assertThat(restarted.scope.declared().enforced().all()).hasSize(1);
        names.forEach(name -> assertThat(restarted.reconcileNode(name).change().isEmpty()).isTrue());
        restarted.pass(Duration.ofMinutes(1));
        for (int left = 19; left > 0; left--) {
            names.forEach(restarted::reconcileNode);
            assertThat(names.stream().filter(name -> !restarted.taints(name).isEmpty())).hasSize(left);
            restarted.pass(TURN);
        }
        names.forEach(restarted::reconcileNode);
        assertThat(restarted.taints("n00")).hasSize(1);
    }

    @Test
    void a_group_that_has_lost_its_status_keeps_what_its_nodes_prove_until_it_is_in_force() {
        DedicatedFixture restarted = new DedicatedFixture(60);
        names.forEach(name -> restarted.nodes.put(cluster.node(name)));
        restarted.declare("g", of(names), "Enforce", "NoSchedule");
        names.forEach(name -> assertThat(restarted.reconcileNode(name).change().isEmpty()).isTrue());
        restarted.node("bare", Map.of());
        restarted.declare("g", of(List.of("n00", "bare")), "Enforce", "NoSchedule");
        restarted.reconcileNode("bare");
        assertThat(restarted.taints("bare")).as("it proves nothing").isEmpty();
        cluster.loseStatus("g");
        assertThat(cluster.scope.declared().enforced().all()).as("nobody has restarted").hasSize(1);
        reconcileAll();
        assertThat(tainted()).isEqualTo(names);
    }
}
