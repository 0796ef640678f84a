package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictingTaintsTest {
    private static final PropagationStep STEP = PropagationStep.COMPLETED_TOPOLOGY;
    private static final MachineTaint KEEPS_OUT = taint("1", "NoSchedule", MachineTaint.ALWAYS);
    private static final MachineTaint EVICTS = taint("1", "NoExecute", MachineTaint.ALWAYS);
    private static final MachineTaint AT_START = taint("1", "NoExecute", MachineTaint.ON_INITIALIZATION);

    private static MachineTaint taint(String value, String effect, String propagation) {
        return new MachineTaint("a", value, effect, propagation);
    }

    @Test
    void a_new_one_is_left_out_and_the_rest_stays_in_its_order() {
        assertThat(without(List.of(EVICTS, KEEPS_OUT))).containsExactly(KEEPS_OUT);
        assertThat(without(List.of(EVICTS, KEEPS_OUT), KEEPS_OUT)).containsExactly(KEEPS_OUT);
    }

    @Test
    void what_the_list_has_evicts_nobody_any_more() {
        assertThat(without(List.of(EVICTS, KEEPS_OUT), EVICTS))
                .containsExactly(EVICTS, KEEPS_OUT);
    }

    @Test
    void another_value_evicts_who_tolerated_the_one_before() {
        MachineTaint before = taint("2", "NoExecute", MachineTaint.ALWAYS);
        assertThat(without(List.of(EVICTS), before)).containsExactly(before);
    }

    @Test
    void what_is_only_for_new_nodes_evicts_nobody_until_it_is_for_all() {
        assertThat(without(List.of(AT_START))).containsExactly(AT_START);
        assertThat(without(List.of(EVICTS), AT_START)).containsExactly(AT_START);
        assertThat(without(List.of(AT_START), EVICTS)).containsExactly(AT_START);
    }

    @Test
    void what_somebody_else_has_put_there_is_not_made_ours() {
        MachineTaint theirs = taint("2", "NoExecute", MachineTaint.ALWAYS);
        for (TaintOwner other : List.of(
                TaintListFixture.applied("somebody", theirs), TaintListFixture.updated("somebody", theirs))) {
            TaintHolder found = TaintListFixture.found(List.of(theirs), other);
            List<MachineTaint> wanted = List.of(EVICTS, KEEPS_OUT);
            assertThat(EvictingTaints.without(STEP, wanted, found)).isEqualTo(wanted);
            TaintListPlan plan = TaintListPlanner.plan(STEP, wanted, found);
            assertThat(plan.write()).isEqualTo(new TaintListPlan.Write.Apply(List.of(KEEPS_OUT), false));
            assertThat(plan.contests()).singleElement().satisfies(
                    contest -> assertThat(contest.managers()).containsExactly("somebody"));
        }
    }

    /** @param there what we have put into the list */
    private static List<MachineTaint> without(List<MachineTaint> wanted, MachineTaint... there) {
        return EvictingTaints.without(STEP, wanted, TaintListFixture.found(
                List.of(there), TaintListFixture.applied(STEP.manager(), there)));
    }
}
