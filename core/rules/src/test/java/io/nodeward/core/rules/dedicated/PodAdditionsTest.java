package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodAdditionsTest {
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";
    private static final Toleration BANANA = Toleration.equalTo("dedicated", "banana", "");
    private static final Toleration OTHERS = Toleration.exists("other", "");

    @Test
    void a_pod_gets_a_toleration_of_each_group() {
        assertThat(tolerations(pod("p/p", "", OTHERS), group("banana"), group("cherry")))
                .containsExactly(BANANA, Toleration.equalTo("dedicated", "cherry", ""));
        assertThat(tolerations(pod("p/p", ""))).isEmpty();
    }

    @Test
    void what_it_tolerates_already_is_not_added_nor_added_twice() {
        assertThat(tolerations(pod("p/p", "", BANANA), group("banana"))).isEmpty();
        assertThat(tolerations(pod("p/p", "", Toleration.exists("", "")), group("banana"))).isEmpty();
        assertThat(tolerations(pod("p/p", "", Toleration.exists("dedicated", "")), group("banana"))).isEmpty();
        assertThat(tolerations(pod("p/p", ""), group("banana"),
                group("same").taint("dedicated", "banana", DedicatedEffect.NoExecute))).containsExactly(BANANA);
    }

    @Test
    void a_toleration_of_one_effect_is_not_enough() {
        for (String effect : List.of("NoSchedule", "PreferNoSchedule", "NoExecute")) {
            assertThat(tolerations(pod("p/p", "", Toleration.exists("dedicated", effect)), group("banana")))
                    .containsExactly(BANANA);
        }
        assertThat(tolerations(pod("p/p", "", Toleration.equalTo("dedicated", "cherry", "")), group("banana")))
                .containsExactly(BANANA);
    }

    @Test
    void exclusive_groups_with_one_key_are_alternatives_and_with_different_keys_all_hold() {
        Make team = group("team").taint("example.com/team", "x", DedicatedEffect.NoSchedule).exclusive();
        assertThat(affinity(pod("p/p", ""), group("cherry").exclusive(), team, group("banana").exclusive(),
                group("open"))).containsExactly(
                        new Requirement("example.com.node-restriction.kubernetes.io/team", Operator.IN, List.of("x")),
                        new Requirement(LABEL, Operator.IN, List.of("banana", "cherry")));
    }

    @Test
    void warn_adds_tolerations_and_no_affinity() {
        Make warned = group("banana").exclusive().mode(EnforcementMode.Warn);
        assertThat(affinity(pod("p/p", ""), warned)).isEmpty();
        assertThat(tolerations(pod("p/p", ""), warned)).containsExactly(BANANA);
    }

    @Test
    void who_says_that_a_daemonset_made_it_is_not_let_off_the_affinity() {
        assertThat(additions(daemon("p/p", ""), group("banana").exclusive()))
                .isEqualTo(additions(pod("p/p", ""), group("banana").exclusive()));
    }

    private static List<Toleration> tolerations(CandidatePod pod, Make... groups) {
        return additions(pod, groups).tolerations();
    }

    private static List<Requirement> affinity(CandidatePod pod, Make... groups) {
        return additions(pod, groups).affinity();
    }

    private static PodAdditions additions(CandidatePod pod, Make... groups) {
        return PodAdditions.of(pod, Stream.of(groups).map(Make::ready).toList());
    }
}
