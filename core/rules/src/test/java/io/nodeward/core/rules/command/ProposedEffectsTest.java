package io.nodeward.core.rules.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ProposedEffectsTest {
    @Test
    void what_became_no_execute_is_taken_for_it() {
        assertThat(ProposedEffects.today(List.of("nodes", "n1", "a=1:NoScheduleNoAdmitNoExecute",
                "b:NoScheduleNoAdmitNoExecute-", "c:NoSchedule", "d-")))
                .containsExactly("nodes", "n1", "a=1:NoExecute", "b:NoExecute-", "c:NoSchedule", "d-");
    }

    @Test
    void what_never_came_to_be_is_refused() {
        assertThatThrownBy(() -> ProposedEffects.today(List.of("nodes", "n1", "a:NoScheduleNoAdmit")))
                .isInstanceOf(TaintRefusal.class)
                .hasMessageStartingWith("error: invalid taint effect: NoScheduleNoAdmit, no Node keeps");
    }

    @Test
    void who_uses_such_a_name_is_told_of_the_flag() {
        assertThat(ProposedEffects.hint(List.of("nodes", "n1", "a:NoScheduleNoAdmitNoExecute"))).isPresent();
        assertThat(ProposedEffects.hint(List.of("nodes", "n1", "a:NoSchedule"))).isEmpty();
    }
}
