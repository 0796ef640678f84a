package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** The page of commands, written from them. {@code mvn -pl cli -am test -Dnodeward.docs=write} writes it anew. */
class GeneratedHelpTest {
    private static final Path PAGE = Path.of("..", "docs", "reference", "cli.md");
    private static final String BEGIN = "<!-- generated: begin -->\n";
    private static final String END = "<!-- generated: end -->";

    @Test
    void the_page_of_commands_is_what_help_prints() throws IOException {
        String text = Files.readString(PAGE);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.writeString(PAGE, text.substring(0, from) + generated() + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to)).as("run with -Dnodeward.docs=write").isEqualTo(generated());
    }

    @Test
    void help_fits_a_terminal_of_80_columns() {
        assertThat(generated().lines()).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
    }

    private static String generated() {
        return Typed.commandLine(InputStream.nullInputStream(), OutputStream.nullOutputStream()).getSubcommands()
                .values()
                .stream().map(GeneratedHelpTest::section).collect(Collectors.joining("\n"));
    }

    private static String section(CommandLine command) {
        String help = command.getUsageMessage(Ansi.OFF).replaceAll("(?m) +$", "").replace(System.lineSeparator(), "\n");
        return "## " + command.getCommandName() + "\n\n```\n" + help + "```\n";
    }
}
