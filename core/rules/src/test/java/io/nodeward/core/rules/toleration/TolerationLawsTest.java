package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.toleration.Eviction.Now;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What holds for all taints and tolerations. A failure prints the seed that leads to it. */
class TolerationLawsTest {
    private static final Toleration EVERYTHING = Toleration.exists("", "");

    @Test
    void exists_without_a_key_tolerates_every_taint_for_ever() {
        forAll(pods -> {
            List<Taint> taints = pods.taints();
            Tolerance tolerance = pods.tolerance();
            List<Toleration> all = List.of(EVERYTHING);
            assertThat(taints).allMatch(taint -> tolerance.tolerates(EVERYTHING, taint));
            assertThat(NodeFit.of(taints, all, tolerance).schedulable()).isTrue();
            assertThat(Eviction.of(taints, all, tolerance)).isInstanceOf(Eviction.Never.class);
            assertThat(NodeScore.intolerable(taints, all, tolerance)).isZero();
        });
    }

    @Test
    void a_toleration_more_never_keeps_a_pod_off() {
        forAll(pods -> {
            List<Taint> taints = pods.taints();
            List<Toleration> some = pods.tolerations();
            List<Toleration> more = new ArrayList<>(some);
            more.add(pods.toleration());
            Tolerance tolerance = pods.tolerance();
            NodeFit before = NodeFit.of(taints, some, tolerance);
            NodeFit after = NodeFit.of(taints, more, tolerance);

            assertThat(after.schedulable() || !before.schedulable()).isTrue();
            assertThat(after.admitted() || !before.admitted()).isTrue();
            assertThat(NodeScore.intolerable(taints, more, tolerance))
                    .isLessThanOrEqualTo(NodeScore.intolerable(taints, some, tolerance));
        });
    }

    @Test
    void what_the_kubelet_refuses_the_scheduler_avoids_and_the_controller_evicts_at_once() {
        forAll(pods -> {
            List<Taint> taints = pods.taints();
            List<Toleration> tolerations = pods.tolerations();
            Tolerance tolerance = pods.tolerance();
            NodeFit fit = NodeFit.of(taints, tolerations, tolerance);
            if (!fit.admitted()) {
                assertThat(fit.schedulable()).isFalse();
                assertThat(Eviction.of(taints, tolerations, tolerance)).isEqualTo(new Now());
            }
        });
    }

    @Test
    void the_order_of_taints_matters_to_nobody_but_the_message() {
        forAll(pods -> {
            List<Taint> taints = pods.taints();
            List<Taint> reversed = taints.reversed();
            List<Toleration> tolerations = pods.tolerations();
            Tolerance tolerance = pods.tolerance();

            assertThat(NodeFit.of(reversed, tolerations, tolerance).schedulable())
                    .isEqualTo(NodeFit.of(taints, tolerations, tolerance).schedulable());
            assertThat(Eviction.of(reversed, tolerations, tolerance))
                    .isEqualTo(Eviction.of(taints, tolerations, tolerance));
        });
    }

    @Test
    void scores_are_between_0_and_100_and_fewer_taints_never_score_less() {
        forAll(pods -> {
            Map<String, List<Taint>> nodes = new TreeMap<>();
            for (String name : List.of("n1", "n2", "n3")) {
                nodes.put(name, pods.taints());
            }
            List<NodeScore> ranked = NodeScore.rank(nodes, pods.tolerations(), pods.tolerance());
            assertThat(ranked).hasSize(3).allMatch(node -> node.score() >= 0 && node.score() <= 100);
            assertThat(ranked).isSortedAccordingTo((a, b) -> Integer.compare(a.intolerable(), b.intolerable()));
            assertThat(ranked).allMatch(node -> node.intolerable() > 0 || node.score() == 100);
        });
    }

    @Test
    void a_toleration_covers_itself_and_what_it_covers_it_tolerates_too() {
        forAll(pods -> {
            Toleration wide = pods.toleration();
            Toleration narrow = pods.toleration();
            Taint taint = pods.taint();
            assertThat(TolerationCover.covers(wide, wide)).isTrue();
            if (TolerationCover.covers(wide, narrow) && Tolerance.DEFAULT.tolerates(narrow, taint)) {
                assertThat(Tolerance.DEFAULT.tolerates(wide, taint)).isTrue();
            }
        });
    }

    @Test
    void merging_twice_is_merging_once() {
        forAll(pods -> {
            List<Toleration> merged = TolerationCover.merge(pods.tolerations(), pods.tolerations());
            assertThat(TolerationCover.merge(merged, List.of())).isEqualTo(merged);
            assertThat(TolerationCover.merge(merged, merged)).isEqualTo(merged);
            assertThat(merged).doesNotHaveDuplicates();
        });
    }

    @Test
    void merging_invents_nothing_and_tolerates_no_less() {
        forAll(pods -> {
            List<Toleration> first = pods.tolerations();
            List<Toleration> second = pods.tolerations();
            Tolerance tolerance = pods.tolerance();
            List<Toleration> merged = TolerationCover.merge(first, second);
            HashSet<Toleration> given = new HashSet<>(first);
            given.addAll(second);
            assertThat(given).containsAll(merged);
            for (Taint taint : pods.taints()) {
                boolean before = tolerance.first(List.copyOf(given), taint).isPresent();
                assertThat(tolerance.first(merged, taint).isPresent()).isEqualTo(before);
            }
        });
    }

    @Test
    void a_list_allows_itself_and_everything_on_it() {
        forAll(pods -> {
            List<Toleration> allowed = pods.tolerations();
            assertThat(TolerationCover.refused(allowed, allowed)).isEmpty();
            List<Toleration> refused = TolerationCover.refused(pods.tolerations(), allowed);
            assertThat(refused).doesNotContainAnyElementsOf(allowed.isEmpty() ? List.of(EVERYTHING) : allowed);
        });
    }

    private static void forAll(Consumer<GeneratedPods> law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            try {
                law.accept(new GeneratedPods(seed));
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }
}
