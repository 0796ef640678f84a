package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.truncated;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.core.rules.preview.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StrangerEvictionTest {
    private static final PodFeatures ON = new PodFeatures(false, false, true);
    private static final Make GROUP = group("banana").names("foo").effects(DedicatedEffect.NoExecute).respecting();
    private static final CandidatePod STRANGER = pod("cherry/a", "foo");

    private static StrangerEviction next(DeclaredGroup group, PodFeatures features, boolean shown,
            CandidatePod... pods) {
        ListedCluster cluster = facts(List.of(node("foo")), pods);
        Resolution resolution = Resolution.of(List.of(group), cluster, features);
        Resolved resolved = resolution.find("banana").orElseThrow();
        return StrangerEviction.next(resolved, Preview.of(resolved, resolution.groups(), cluster, false), features,
                shown).orElse(null);
    }

    @Test
    void strangers_go_when_so_many_are_confirmed_and_the_status_has_said_so() {
        assertThat(next(GROUP.established(), ON, false, STRANGER)).isEqualTo(StrangerEviction.NOT_CONFIRMED);
        assertThat(next(GROUP.established(), ON, true, STRANGER)).isEqualTo(StrangerEviction.NOT_CONFIRMED);
        assertThat(next(GROUP.confirmed(1).established(), ON, false, STRANGER)).isEqualTo(StrangerEviction.ANNOUNCED);
        assertThat(next(GROUP.confirmed(1).established(), ON, true, STRANGER)).isEqualTo(StrangerEviction.EVICTING);
        assertThat(next(GROUP.confirmed(1).established(), ON, true, STRANGER, pod("cherry/b", "foo")))
                .as("one more").isEqualTo(StrangerEviction.NOT_CONFIRMED);
        assertThat(next(GROUP.confirmed(1).established(), ON, true)).isEqualTo(StrangerEviction.COMPLETED);
        assertThat(next(GROUP.established(), ON, false)).as("nobody has to be confirmed")
                .isEqualTo(StrangerEviction.COMPLETED);
    }

    @Test
    void pods_of_daemonsets_have_to_be_confirmed_and_end_with_the_taint() {
        CandidatePod daemon = daemon("cherry/d", "foo");
        assertThat(next(GROUP.established(), ON, true, daemon)).isEqualTo(StrangerEviction.NOT_CONFIRMED);
        assertThat(next(GROUP.confirmed(1).established(), ON, true, daemon)).isEqualTo(StrangerEviction.COMPLETED);
        assertThat(next(GROUP.confirmed(2).established(), ON, true, daemon, STRANGER))
                .isEqualTo(StrangerEviction.EVICTING);
    }

    @Test
    void the_message_names_the_first_pod_that_nodeward_leaves_as_not_all_is_known_of_it() {
        Sample none = Sample.of(List.of());
        Preview preview = new Preview(none, none, none, none, none, none, none, none, none, none, none, none, 0, 0,
                Set.of(new Stranger(STRANGER.key(), "u", "foo", Duration.ZERO, Stranger.End.UNKNOWN)));
        assertThat(next(GROUP.confirmed(1).established(), ON, true, truncated(STRANGER)))
                .isEqualTo(StrangerEviction.EVICTING);
        assertThat(StrangerEviction.EVICTING.message(preview, 0, Optional.empty()))
                .isEqualTo(
                        "0 pods to be evicted; not all is known of 1 pod, which Nodeward does not evict, so that they"
                                + " keep their Nodes from NoExecute: first Pod cherry/a");
    }

    @Test
    void an_edit_of_what_is_confirmed_or_how_pods_go_is_in_force_at_once() {
        assertThat(next(GROUP.confirmed(1).over(GROUP), ON, true, STRANGER)).isEqualTo(StrangerEviction.EVICTING);
        assertThat(next(GROUP.confirmed(1).over(GROUP.evicting(EvictionMode.DEFAULT)), ON, true,
                STRANGER)).isEqualTo(StrangerEviction.EVICTING);
    }

    @Test
    void no_other_group_evicts_strangers() {
        Make confirmed = GROUP.confirmed(1);
        assertThat(next(confirmed.established(), PodFeatures.NONE, true, STRANGER)).as("the gate is off").isNull();
        assertThat(next(confirmed.mode(EnforcementMode.Warn).established(), ON, true, STRANGER)).isNull();
        assertThat(next(confirmed.mode(EnforcementMode.Audit).over(confirmed), ON, true, STRANGER)).isNull();
        assertThat(next(confirmed.effects(DedicatedEffect.NoSchedule).established(), ON, true, STRANGER)).isNull();
        assertThat(next(confirmed.evicting(EvictionMode.DEFAULT).established(), ON, true, STRANGER))
                .isNull();
        assertThat(next(confirmed.names("gone").over(confirmed), ON, true, STRANGER))
                .as("the edit is not in force").isNull();
    }

    @Test
    void each_state_is_a_condition() {
        assertThat(List.of(StrangerEviction.values())).extracting(StrangerEviction::status)
                .containsExactly("False", "False", "True", "True");
        assertThat(StrangerEviction.EVICTING.reason()).isEqualTo(Reason.PODS_PENDING_EVICTION);
    }
}
