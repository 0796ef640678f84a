package io.nodeward.core.rules.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "taint | ; did you mean 'taints'?", "Effect | ; did you mean 'effect'?", "kye | ; did you mean 'key'?",
            "foo | ~~", "replicas | ~~", "machinedeploymnt | ; did you mean 'MachineDeployment'?"
    })
    void the_known_name_with_the_fewest_changes_is_suggested(String name, String hint) {
        assertThat(Nearest.hint(name, List.of("key", "taints", "effect", "MachineDeployment"))).isEqualTo(hint);
    }

    @Test
    void without_known_names_there_is_no_hint() {
        assertThat(Nearest.hint("key", List.of())).isEmpty();
    }
}
