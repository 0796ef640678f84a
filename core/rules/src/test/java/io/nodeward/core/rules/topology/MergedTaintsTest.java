package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.topology.MergedTaints.Entry;
import io.nodeward.core.rules.topology.MergedTaints.Source;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MergedTaintsTest {
    private static final MachineTaint A1 = always("a", "1", "NoSchedule");
    private static final MachineTaint A2 = once("a", "2", "NoSchedule");
    private static final MachineTaint A_EXECUTE = always("a", "1", "NoExecute");
    private static final MachineTaint B = always("b", "", "NoSchedule");
    private static final MachineTaint C = always("c", "", "NoSchedule");

    @Test
    void both_set_are_merged_by_key_and_effect_and_the_cluster_wins() {
        MergedTaints merged = merged(List.of(A1, B), List.of(C, A2, A_EXECUTE));

        assertThat(merged.taints()).containsExactly(A2, B, C, A_EXECUTE);
        assertThat(merged.entries()).contains(
                new Entry(A2, Source.CLUSTER, List.of(new Entry(A1, Source.CLUSTER_CLASS, List.of()))),
                new Entry(B, Source.CLUSTER_CLASS, List.of()));
    }

    @Test
    void what_only_one_sets_counts_and_nothing_is_nothing() {
        assertThat(merged(List.of(A1, B), List.of()).taints()).containsExactly(A1, B);
        assertThat(merged(List.of(), List.of(B, A1)).taints()).containsExactly(B, A1);
        assertThat(merged(List.of(), List.of())).isEqualTo(MergedTaints.NONE);
        assertThat(merged(List.of(A1), List.of()).entries()).extracting(Entry::source)
                .containsExactly(Source.CLUSTER_CLASS);
        assertThat(merged(List.of(), List.of(A1)).entries()).extracting(Entry::source).containsExactly(Source.CLUSTER);
    }

    @Test
    void only_what_a_replacing_list_drops_is_dropped() {
        assertThat(merged(List.of(A1, B), List.of(A2)).dropped().taints()).containsExactly(B);
        assertThat(merged(List.of(A1), List.of(A1)).dropped()).isEqualTo(MergedTaints.NONE);
        assertThat(merged(List.of(A1, B), List.of()).dropped()).isEqualTo(MergedTaints.NONE);
        assertThat(merged(List.of(), List.of(A1)).dropped()).isEqualTo(MergedTaints.NONE);
    }

    @Test
    void a_list_that_repeats_itself_counts_once() {
        assertThat(MergedTaints.of(Source.CLUSTER, List.of(A1, A2, B, B)).taints()).containsExactly(A1, B);
    }

    @Test
    void merging_is_associative_with_its_order_and_all_that_is_hidden() {
        forAll((a, b, c) -> {
            MergedTaints left = a.overlaidBy(b).overlaidBy(c);
            assertThat(left).isEqualTo(a.overlaidBy(b.overlaidBy(c)));
            assertThat(left.entries().stream().flatMap(entry -> entry.hidden().stream()))
                    .allMatch(hidden -> hidden.hidden().isEmpty());
        });
    }

    @Test
    void merging_with_itself_or_nothing_changes_no_taint() {
        forAll((a, b, c) -> {
            assertThat(a.overlaidBy(a).taints()).isEqualTo(a.taints());
            assertThat(a.overlaidBy(b).overlaidBy(b).taints()).isEqualTo(a.overlaidBy(b).taints());
            assertThat(a.overlaidBy(MergedTaints.NONE)).isEqualTo(a);
            assertThat(MergedTaints.NONE.overlaidBy(a)).isEqualTo(a);
        });
    }

    @Test
    void no_declaration_is_lost_and_none_is_made_up() {
        forAll((a, b, c) -> {
            Set<MachineTaint> declared = new HashSet<>(a.taints());
            declared.addAll(b.taints());
            Set<MachineTaint> found = new HashSet<>();
            for (Entry entry : a.overlaidBy(b).entries()) {
                found.add(entry.taint());
                entry.hidden().forEach(hidden -> found.add(hidden.taint()));
                assertThat(entry.hidden()).extracting(hidden -> hidden.taint().id())
                        .allMatch(entry.taint().id()::equals);
            }
            assertThat(found).isEqualTo(declared);
            Set<TaintId> ids = declared.stream().map(MachineTaint::id).collect(Collectors.toSet());
            assertThat(a.overlaidBy(b).entries()).hasSameSizeAs(ids);
            assertThat(a.overlaidBy(b).taints()).containsAll(b.taints());
        });
    }

    @Test
    void what_is_dropped_and_the_clusters_list_make_the_whole() {
        forAll((a, b, c) -> {
            MergedTaints cluster = MergedTaints.of(Source.CLUSTER, b.taints());
            MergedTaints merged = MergedTaints.of(Source.CLUSTER_CLASS, a.taints()).overlaidBy(cluster);
            // What a manager writes that replaces one list by the other.
            List<MachineTaint> upstream = b.taints().isEmpty() ? a.taints() : b.taints();
            Set<MachineTaint> both = new LinkedHashSet<>(upstream);
            both.addAll(merged.dropped().taints());
            assertThat(both).hasSize(upstream.size() + merged.dropped().entries().size())
                    .containsExactlyInAnyOrderElementsOf(merged.taints());
        });
    }

    private static MergedTaints merged(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
        return MergedTaints.of(Source.CLUSTER_CLASS, ofClass).overlaidBy(MergedTaints.of(Source.CLUSTER, ofCluster));
    }

    @FunctionalInterface
    private interface Law {
        void check(MergedTaints a, MergedTaints b, MergedTaints c);
    }

    private static void forAll(Law law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            Random random = Cases.random(seed);
            try {
                law.check(list(random), list(random), list(random));
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    private static MergedTaints list(Random random) {
        List<MachineTaint> taints = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            taints.add(new MachineTaint(
                    List.of("a", "b", "c").get(random.nextInt(3)),
                    List.of("", "1", "2").get(random.nextInt(3)),
                    List.of("NoSchedule", "NoExecute").get(random.nextInt(2)),
                    random.nextBoolean() ? MachineTaint.ALWAYS : MachineTaint.ON_INITIALIZATION));
        }
        return MergedTaints.of(random.nextBoolean() ? Source.CLUSTER : Source.CLUSTER_CLASS, taints);
    }
}
