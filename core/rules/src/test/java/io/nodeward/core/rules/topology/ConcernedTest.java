package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcernedTest {
    private static final List<String> NAMES = List.of("MachineSet a", "KubeadmControlPlane b.c");

    @Test
    void a_message_begins_with_those_it_is_about() {
        assertThat(new Concerned(NAMES, false).message("no: right"))
                .isEqualTo("MachineSet a, KubeadmControlPlane b.c: no: right");
        assertThat(new Concerned(NAMES, true).message("no\nright"))
                .isEqualTo("MachineSet a, KubeadmControlPlane b.c and others: no\nright");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_is_said_is_read_again(boolean others) {
        for (List<String> names : List.of(NAMES, NAMES.subList(0, 1))) {
            Concerned said = new Concerned(names, others);
            assertThat(Concerned.of(said.message("MachineSet z, MachineSet y and others: \nno right"))).isEqualTo(said);
        }
    }

    @Test
    void only_those_named_are_concerned() {
        Concerned two = new Concerned(NAMES, false);
        assertThat(two.mayHave("MachineSet", "a")).isTrue();
        assertThat(two.mayHave("KubeadmControlPlane", "b.c")).isTrue();
        assertThat(two.mayHave("KubeadmControlPlane", "a")).isFalse();
        assertThat(two.mayHave("MachineSet", "a-2")).isFalse();
        assertThat(new Concerned(NAMES, true).mayHave("MachineSet", "a-2")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no right", "MachineSet a", "MachineSet a:no right", "somebody else says: no"})
    void a_message_of_another_form_may_be_about_anybody(String message) {
        assertThat(Concerned.of(message).mayHave("MachineSet", "z")).isTrue();
    }
}
