package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.rules.topology.TopologyMode;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class TopologyModeTextTest {
    @Test
    void a_mode_is_one_of_two_words() {
        assertThat(mode()).isEqualTo(TopologyMode.FULL);
        assertThat(mode("--topology-mode=full")).isEqualTo(TopologyMode.FULL);
        assertThat(mode("--topology-mode=complete")).isEqualTo(TopologyMode.COMPLETE);
        assertThatThrownBy(() -> mode("--topology-mode=COMPLETE"))
                .hasMessageContaining("'COMPLETE' is none of [complete, full]");
    }

    private static TopologyMode mode(String... arguments) {
        Flags flags = new Flags();
        new CommandLine(flags).parseArgs(arguments);
        return flags.topology.mode;
    }

    @Command
    private static final class Flags {
        @CommandLine.Mixin
        private final TopologyConfig topology = new TopologyConfig();
    }
}
