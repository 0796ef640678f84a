package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.device.EvictionState.Enforced;
import io.nodeward.core.rules.device.EvictionState.Shown;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EvictionStateTest {
    private static final List<String> EFFECTS = List.of("None", "NoSchedule", "NoExecute");
    private static final List<Boolean> BOTH = List.of(false, true);

    /** What users see: status, reason and, for one set of facts, the message. */
    private static final Map<EvictionState, String> SHOWN = new EnumMap<>(Map.ofEntries(
            Map.entry(EvictionState.STOPPED, "True PodsPendingEviction 2 pods in 1 namespace to be evicted"),
            Map.entry(EvictionState.NO_EFFECT, "False NoEffect pods are evicted for the effect NoExecute alone"),
            Map.entry(EvictionState.OTHER_EFFECT, "False OtherEffect pods are evicted for the effect NoExecute alone"),
            Map.entry(EvictionState.NOT_IN_EFFECT, "False NotInEffect a fault"),
            Map.entry(EvictionState.NOT_ENFORCED_YET, "Unknown NotEnforced nobody is evicted while the condition"
                    + " SchedulingEnforced is False, since the scheduler would give the device to the next pod; with"
                    + " --devices-evict-unenforced=true pods are evicted all the same"),
            Map.entry(EvictionState.NOT_ENFORCED, "False NotEnforced nobody is evicted while the condition"
                    + " SchedulingEnforced is False, since the scheduler would give the device to the next pod; with"
                    + " --devices-evict-unenforced=true pods are evicted all the same"),
            Map.entry(EvictionState.NOT_CONFIRMED, "False NotConfirmed to be confirmed"),
            Map.entry(EvictionState.DEVICES_UNKNOWN, "Unknown DevicesUnknown it is not known whether the rule selects"
                    + " all the devices that claims have; nobody is evicted for the others"),
            Map.entry(EvictionState.NOT_STARTED, "False NotStarted no pod has to be evicted"),
            Map.entry(EvictionState.ANNOUNCED, "True PodsPendingEviction 2 pods in 1 namespace to be evicted"),
            Map.entry(EvictionState.EVICTING, "True PodsPendingEviction 2 pods in 1 namespace to be evicted"),
            Map.entry(EvictionState.COMPLETED, "False Completed no pod is left that has to be evicted")));

    private static List<EvictionFacts> facts() {
        List<EvictionFacts> all = new ArrayList<>();
        for (String effect : EFFECTS) {
            for (int pods : List.of(0, 2)) {
                for (int flags = 0; flags < 1 << 5; flags++) {
                    all.add(facts(effect, (flags & 1) > 0, (flags & 2) > 0, pods, (flags & 4) > 0, (flags & 8) > 0,
                            (flags & 16) > 0));
                }
            }
        }
        return all;
    }

    private static EvictionFacts facts(
            String effect, boolean fault, boolean unconfirmed, int pods, boolean known, boolean listed,
            boolean deleting) {
        return new EvictionFacts(effect, Optional.of("a fault").filter(any -> fault),
                Optional.of("to be confirmed").filter(any -> unconfirmed), pods, 1, known, listed, deleting);
    }

    @Test
    void whatever_is_known_a_user_sees_a_line_of_the_table() {
        Set<EvictionState> reached = EnumSet.noneOf(EvictionState.class);
        for (EvictionFacts facts : facts()) {
            for (Shown shown : Shown.values()) {
                for (Enforced enforced : Enforced.values()) {
                    EvictionState state = EvictionState.next(shown, facts, enforced);
                    assertThat(state.status() + " " + state.reason().text() + " "
                            + facts.message(state, 0, false, Optional.empty()))
                            .as("%s %s %s", shown, facts, enforced).isEqualTo(SHOWN.get(state));
                    reached.add(state);
                }
            }
        }
        assertThat(reached).containsExactly(EvictionState.values());
    }

    @Test
    void pods_go_for_no_other_facts_than_those_that_call_for_it() {
        int evicting = 0;
        for (EvictionFacts facts : facts()) {
            for (Shown shown : Shown.values()) {
                for (Enforced enforced : Enforced.values()) {
                    boolean evicts = EvictionState.next(shown, facts, enforced) == EvictionState.EVICTING;
                    evicting += evicts ? 1 : 0;
                    assertThat(evicts).as("%s %s %s", shown, facts, enforced)
                            .isEqualTo(facts.effect().equals("NoExecute") && facts.fault().isEmpty()
                                    && Set.of(Enforced.YES, Enforced.PARTLY).contains(enforced)
                                    && facts.unconfirmed().isEmpty() && facts.pods() > 0
                                    && !facts.deleting() && shown == Shown.NOW);
                }
            }
        }
        assertThat(evicting).as("known or not, listed or not, all devices or some").isEqualTo(8);
    }

    @Test
    void the_message_says_what_has_been_done_and_what_holds_it_up() {
        EvictionFacts facts = facts("NoExecute", false, false, 1, true, false, false);
        assertThat(facts.message(EvictionState.EVICTING, 1, true, Optional.of("the server refuses")))
                .isEqualTo("1 pod in 1 namespace to be evicted; 1 pod evicted since the controller started; the pace of"
                        + " all rules together, --devices-evictions-per-second, holds it below its own; the server"
                        + " refuses");
        assertThat(facts.message(EvictionState.COMPLETED, 3, true, Optional.of("the server refuses")))
                .isEqualTo("3 pods evicted since the controller started");
    }

    @Test
    void a_device_that_the_scheduler_does_not_know_of_stops_what_has_not_begun_and_an_edited_rule() {
        for (boolean listed : BOTH) {
            EvictionFacts facts = facts("NoExecute", false, false, 2, true, listed, false);
            assertThat(EvictionState.next(Shown.NEVER, facts, Enforced.PARTLY))
                    .isEqualTo(EvictionState.NOT_ENFORCED_YET);
            assertThat(EvictionState.next(Shown.ONCE, facts, Enforced.PARTLY))
                    .isEqualTo(listed ? EvictionState.ANNOUNCED : EvictionState.NOT_ENFORCED_YET);
            assertThat(EvictionState.next(Shown.NOW, facts, Enforced.PARTLY)).isEqualTo(EvictionState.EVICTING);
        }
    }
}
