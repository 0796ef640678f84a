package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

class FlagsTest {
    @TempDir
    Path directory;

    @Test
    void a_flag_given_in_the_file_and_on_the_command_line_is_on() throws Exception {
        Path file = directory.resolve("config.yaml");
        for (OptionSpec option : Main.commandLine(new String[0]).getCommandSpec().options()) {
            if (option.type() != boolean.class || option.usageHelp() || option.versionHelp()) {
                continue;
            }
            Files.writeString(file, option.longestName().substring(2) + ": true\n");
            assertThat(value(option.longestName(), "--config=" + file)).as(option.longestName()).isTrue();
            assertThat(value(option.longestName(), "--config=" + file, option.longestName())).isTrue();
            assertThat(value(option.longestName(), option.longestName())).isTrue();
            assertThat(value(option.longestName(), "--config=" + file, option.longestName() + "=false")).isFalse();
            assertThat(value(option.longestName())).isFalse();
        }
    }

    @Test
    void a_file_of_arguments_may_name_the_config_file() throws Exception {
        Path config = Files.writeString(directory.resolve("config.yaml"), "dry-run: true\n");
        Path arguments = Files.writeString(directory.resolve("arguments"), "--config=" + config + "\n");
        assertThat(value("--dry-run", "@" + arguments)).isTrue();
    }

    private static boolean value(String option, String... args) throws Exception {
        CommandLine command = Main.commandLine(args);
        command.parseArgs(args);
        return command.getCommandSpec().findOption(option).getValue();
    }
}
