package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class TopologyConfigTest {
    @Test
    void a_mode_is_one_of_two_words() {
        assertThat(mode()).isEqualTo(TopologyConfig.Mode.full);
        assertThat(mode("--topology-mode=full")).isEqualTo(TopologyConfig.Mode.full);
        assertThat(mode("--topology-mode=complete")).isEqualTo(TopologyConfig.Mode.complete);
        assertThatThrownBy(() -> mode("--topology-mode=COMPLETE"))
                .hasMessageContaining("expected one of [full, complete] (case-sensitive) but was 'COMPLETE'");
    }

    private static TopologyConfig.Mode mode(String... arguments) {
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
