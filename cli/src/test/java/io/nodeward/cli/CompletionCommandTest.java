package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Said;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @TempDir
    Path directory;

    /** As bash itself calls it, with the cursor behind the last word. */
    private List<String> completed(String... words) throws IOException, InterruptedException {
        Said script = Typed.run("", "completion", "bash");
        assertThat(script.exit()).isZero();
        Path file = Files.writeString(directory.resolve("completion"), script.out());
        String line = String.join(" ", words);
        Process bash = new ProcessBuilder("bash", "-c", """
                source %s
                COMP_WORDS=(%s) COMP_CWORD=%d COMP_LINE='%s' COMP_POINT=%d
                COMP_WORDS[%d]="${COMP_WORDS[%d]:-}"
                _complete_nodeward
                printf '%%s\\n' "${COMPREPLY[@]}"
                """.formatted(file, line, words.length - 1, line, line.length(), words.length - 1, words.length - 1))
                .redirectError(ProcessBuilder.Redirect.DISCARD).start(); // compopt complains outside of a completion
        String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor()).as(out).isZero();
        return out.lines().map(String::strip).toList();
    }

    @Test
    void bash_completes_commands_options_and_values() throws IOException, InterruptedException {
        assertThat(completed("nodeward", "")).contains("plan", "explain", "taint", "eval", "completion");
        assertThat(completed("nodeward", "ex")).containsExactly("explain");
        assertThat(completed("nodeward", "plan", "--fail")).containsExactly("--fail-on");
        assertThat(completed("nodeward", "plan", "--fail-on", "")).containsExactly("nothing", "changes", "evictions");
        assertThat(completed("nodeward", "eval", "")).contains("propagate", "taint-command");
    }

    @Test
    void fish_is_told_the_same() {
        assertThat(Typed.run("", "completion", "fish").out().lines())
                .allMatch(line -> line.startsWith("complete -c nodeward "))
                .contains("complete -c nodeward -f")
                .anyMatch(line -> line.startsWith("complete -c nodeward -n __fish_use_subcommand -a explain -d '"))
                .anyMatch(
                        line -> line.startsWith("complete -c nodeward -n '__fish_seen_subcommand_from plan' -l fail-on"
                                + " -x -a 'nothing changes evictions' -d '"))
                .anyMatch(line -> line.startsWith("complete -c nodeward -n '__fish_seen_subcommand_from plan'"
                        + " -s f -l filename -r -F -d '"));
    }

    @Test
    void a_shell_that_is_not_there_is_refused_with_those_that_are() {
        Said said = Typed.run("", "completion", "ksh");
        assertThat(said.exit()).isEqualTo(2);
        assertThat(said.err()).contains("ksh", "bash", "zsh", "fish");
    }
}
