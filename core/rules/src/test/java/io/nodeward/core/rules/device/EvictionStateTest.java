package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.device.EvictionState.Enforced;
import io.nodeward.core.rules.device.EvictionState.Shown;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
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
            for (boolean fault : BOTH) {
                for (boolean unconfirmed : BOTH) {
                    for (int pods : List.of(0, 2)) {
                        for (boolean known : BOTH) {
                            for (boolean deleting : BOTH) {
                                all.add(facts(effect, fault, unconfirmed, pods, known, deleting));
                            }
                        }
                    }
                }
            }
        }
        return all;
    }

    private static EvictionFacts facts(
            String effect, boolean fault, boolean unconfirmed, int pods, boolean known, boolean deleting) {
        return new EvictionFacts(effect, Optional.of("a fault").filter(any -> fault),
                Optional.of("to be confirmed").filter(any -> unconfirmed), pods, 1, known, deleting);
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
                    boolean evicts = EvictionState.next(shown, facts, enforced).evicts();
                    evicting += evicts ? 1 : 0;
                    assertThat(evicts).as("%s %s %s", shown, facts, enforced)
                            .isEqualTo(facts.effect().equals("NoExecute") && facts.fault().isEmpty()
                                    && enforced == Enforced.YES && facts.unconfirmed().isEmpty() && facts.pods() > 0
                                    && !facts.deleting() && shown == Shown.NOW);
                }
            }
        }
        assertThat(evicting).as("known or not").isEqualTo(2);
    }

    @Test
    void the_message_says_what_has_been_done_and_what_holds_it_up() {
        EvictionFacts facts = facts("NoExecute", false, false, 1, true, false);
        assertThat(facts.message(EvictionState.EVICTING, 1, true, Optional.of("the server refuses")))
                .isEqualTo("1 pod in 1 namespace to be evicted; 1 pod evicted since the controller started; the pace of"
                        + " all rules together, --devices-evictions-per-second, holds it below its own; the server"
                        + " refuses");
        assertThat(facts.message(EvictionState.COMPLETED, 3, true, Optional.of("the server refuses")))
                .isEqualTo("3 pods evicted since the controller started");
    }

    /** A process decides on what it sees, which is late, and comes again; its writes of the status may be lost. */
    @Test
    void after_any_sequence_no_pod_goes_in_a_state_that_does_not_allow_it() {
        Map<EvictionState, Integer> reached = new EnumMap<>(EvictionState.class);
        int deletions = 0;
        for (int seed = 0; seed < Cases.COUNT; seed++) {
            Sequence sequence = new Sequence(Cases.random(seed), seed);
            for (int step = 0; step < 60; step++) {
                sequence.step();
                reached.merge(sequence.state, 1, Integer::sum);
            }
            deletions += sequence.deletions;
        }
        assertThat(reached.keySet()).containsExactly(EvictionState.values());
        assertThat(deletions).isGreaterThan(Cases.COUNT / 4);
    }

    /** @param shown the generation for which the status shows that pods are evicted; 0 if it does not */
    private record Version(
            int uid, int generation, String effect, boolean fault, int confirmed, boolean deleting, boolean begun,
            int shown) {
        Version edited(String otherEffect, boolean otherFault, int otherConfirmed) {
            return new Version(uid, generation + 1, otherEffect, otherFault, otherConfirmed, deleting, begun, shown);
        }

        Shown asShown() {
            return !begun ? Shown.NEVER : shown == generation ? Shown.NOW : Shown.ONCE;
        }
    }

    /** One object on a server, and a process that decides on it. */
    private static final class Sequence {
        private final Random random;
        private final int seed;
        private final List<Version> history = new ArrayList<>();
        private Version seen;
        private Version decided;
        private Enforced enforced = Enforced.YES;
        private Enforced decidedEnforced = Enforced.NO;
        private int pods = 2;
        private int decidedPods;
        private boolean known = true;
        private EvictionState state = EvictionState.STOPPED;
        private int deletions;

        Sequence(Random random, int seed) {
            this.random = random;
            this.seed = seed;
            seen = new Version(1, 1, "NoExecute", false, 3, false, false, 0);
            decided = seen;
            history.add(seen);
        }

        private Version live() {
            return history.getLast();
        }

        void step() {
            switch (random.nextInt(26)) {
                case 0 ->
                        history.add(live().edited(EFFECTS.get(random.nextInt(3)), live().fault(), live().confirmed()));
                case 1 -> history.add(live().edited("NoExecute", random.nextInt(4) == 0, 3));
                case 2 -> history.add(live().edited(live().effect(), false, random.nextInt(4)));
                case 3 -> pods = random.nextInt(4);
                case 4 -> known = random.nextInt(3) > 0;
                case 5 -> enforced = Enforced.values()[random.nextInt(3)];
                case 6 -> enforced = Enforced.YES;
                case 7 -> end();
                case 8 -> state = EvictionState.STOPPED; // a process in its place, or not all is known
                case 9, 10 -> seen = history.get(random.nextInt(history.size())); // late, or again
                case 11, 12, 13, 14, 15 -> seen = live();
                case 16, 17, 18, 19, 20 -> decide();
                default -> evict();
            }
        }

        private void end() {
            Version end = live();
            if (random.nextInt(3) == 0) {
                history.add(end.deleting() ? new Version(end.uid() + 1, 1, "NoExecute", false, 3, false, false, 0)
                        : new Version(end.uid(), end.generation(), end.effect(), end.fault(), end.confirmed(), true,
                                end.begun(), end.shown()));
            }
        }

        private void decide() {
            decided = seen;
            decidedEnforced = enforced;
            decidedPods = pods;
            state = EvictionState.next(seen.asShown(), facts(seen.effect(), seen.fault(), seen.confirmed() < pods, pods,
                    known, seen.deleting()), enforced);
            if (random.nextInt(4) > 0 && live().uid() == seen.uid()) {
                history.add(new Version(live().uid(), live().generation(), live().effect(), live().fault(),
                        live().confirmed(), live().deleting(), live().begun() || state.isInProgress(),
                        state.isInProgress() ? seen.generation() : 0));
            }
        }

        private void evict() {
            if (!state.evicts() || seen.uid() != decided.uid() || seen.generation() != decided.generation()) {
                return;
            }
            deletions++;
            assertThat(state).as("seed %s", seed).isEqualTo(EvictionState.EVICTING);
            assertThat(decided).as("seed %s", seed).satisfies(version -> {
                assertThat(version.effect()).isEqualTo("NoExecute");
                assertThat(version.fault()).isFalse();
                assertThat(version.deleting()).isFalse();
                assertThat(version.confirmed()).isGreaterThanOrEqualTo(decidedPods);
                assertThat(version.begun()).isTrue();
                assertThat(version.shown()).isEqualTo(version.generation());
            });
            assertThat(decidedEnforced).as("seed %s", seed).isEqualTo(Enforced.YES);
            assertThat(decidedPods).as("seed %s", seed).isPositive();
            assertThat(history).as("seed %s: a process that comes later knows it", seed).anyMatch(
                    version -> version.uid() == decided.uid() && version.begun());
        }
    }
}
