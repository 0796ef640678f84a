package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The launcher, the command, its completion and its pages speak of the same commands. */
class CommandsTest {
    private static final Path LAUNCHER = Path.of("..", "nodeward");
    private static final Path REFERENCE = Path.of("..", "docs", "reference", "cli.md");
    private static final Path GUIDE = Path.of("..", "docs", "guide", "cli.md");
    private static final List<String> OF_OTHERS = List.of("bench", "controller", "demo", "dist", "image", "kind",
            "release", "train");

    private static TreeSet<String> commands() {
        return new TreeSet<>(Typed.commandLine(InputStream.nullInputStream(), OutputStream.nullOutputStream())
                .getSubcommands().keySet());
    }

    /** All words of the first group, wherever it is found. */
    private static TreeSet<String> found(Path file, String pattern) throws IOException {
        TreeSet<String> words = new TreeSet<>();
        Pattern.compile(pattern, Pattern.MULTILINE).matcher(Files.readString(file)).results()
                .forEach(match -> words.addAll(Arrays.asList(match.group(1).split("[|, ]+"))));
        return words;
    }

    @Test
    void the_launcher_names_all_commands_wherever_it_names_them() throws IOException {
        TreeSet<String> all = commands();
        all.addAll(OF_OTHERS);
        assertThat(found(LAUNCHER, "^#   \\./nodeward ([a-z]+) ")).as("its help").isEqualTo(all);
        assertThat(found(LAUNCHER, "unknown command .*; there are: ([a-z, ]+)\"")).as("its refusal").isEqualTo(all);
        assertThat(found(LAUNCHER, "^  ([a-z|]+)\\) module=")).as("what it starts").isEqualTo(all);
        assertThat(found(LAUNCHER, "^  ([a-z|]+)\\) module=cli;")).isEqualTo(commands());
        assertThat(found(LAUNCHER, "^  ([a-z|]+)\\) # ends soon")).as("how it starts them").isEqualTo(commands());
    }

    @Test
    void the_pages_and_the_help_have_each_command() throws IOException {
        assertThat(found(REFERENCE, "^## ([a-z]+)$")).isEqualTo(commands());
        TreeSet<String> shown = found(GUIDE, "nodeward ([a-z]+) ");
        assertThat(shown).containsAll(commands());
        assertThat(Typed.run("", "--help").out()).contains(commands());
    }

    @Test
    void every_shell_is_offered_each_command() {
        for (String shell : List.of("bash", "zsh", "fish", "kubectl")) {
            String script = Typed.run("", "completion", shell).out();
            assertThat(commands()).as(shell).allSatisfy(command -> assertThat(script)
                    .containsPattern("(?m)(^|[ \"'(])" + command + "([ \\t\"')]|$)"));
        }
    }

    @Test
    void each_command_says_which_version_it_is_of() {
        assertThat(Stream.concat(Stream.of(""), commands().stream())).allSatisfy(command -> {
            String[] words = (command + " --version").strip().split(" ");
            assertThat(Typed.run("", words)).isEqualTo(new Cluster.Result(0, "nodeward unreleased\n", ""));
        });
    }
}
