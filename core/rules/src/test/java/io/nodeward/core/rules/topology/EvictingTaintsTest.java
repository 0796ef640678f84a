package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import org.junit.jupiter.api.Test;

class EvictingTaintsTest {
    private static final MachineTaint KEEPS_OUT = taint("1", "NoSchedule", MachineTaint.ALWAYS);
    private static final MachineTaint EVICTS = taint("1", "NoExecute", MachineTaint.ALWAYS);
    private static final MachineTaint AT_START = taint("1", "NoExecute", MachineTaint.ON_INITIALIZATION);

    private static MachineTaint taint(String value, String effect, String propagation) {
        return new MachineTaint("a", value, effect, propagation);
    }

    @Test
    void a_new_one_is_left_out_and_the_rest_stays_in_its_order() {
        assertThat(EvictingTaints.without(List.of(EVICTS, KEEPS_OUT), List.of())).containsExactly(KEEPS_OUT);
        assertThat(EvictingTaints.without(List.of(EVICTS, KEEPS_OUT), List.of(KEEPS_OUT))).containsExactly(KEEPS_OUT);
    }

    @Test
    void what_the_list_has_evicts_nobody_any_more() {
        assertThat(EvictingTaints.without(List.of(EVICTS, KEEPS_OUT), List.of(EVICTS)))
                .containsExactly(EVICTS, KEEPS_OUT);
    }

    @Test
    void another_value_evicts_who_tolerated_the_one_before() {
        MachineTaint before = taint("2", "NoExecute", MachineTaint.ALWAYS);
        assertThat(EvictingTaints.without(List.of(EVICTS), List.of(before))).containsExactly(before);
    }

    @Test
    void what_is_only_for_new_nodes_evicts_nobody_until_it_is_for_all() {
        assertThat(EvictingTaints.without(List.of(AT_START), List.of())).containsExactly(AT_START);
        assertThat(EvictingTaints.without(List.of(EVICTS), List.of(AT_START))).containsExactly(AT_START);
        assertThat(EvictingTaints.without(List.of(AT_START), List.of(EVICTS))).containsExactly(AT_START);
    }
}
