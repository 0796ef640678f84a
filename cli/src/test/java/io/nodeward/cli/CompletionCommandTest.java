package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
    @TempDir
    Path directory;

    /** As bash itself calls it, with the cursor behind the last word. */
    private List<String> completed(String... words) throws IOException, InterruptedException {
        Result script = Typed.run("", "completion", "bash");
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

    private static final Path PROGRAM = Path.of("..", "deploy", "krew", "kubectl_complete-nodeward");

    /** As kubectl calls it: with the words behind 'kubectl nodeward', of which the last is being typed. */
    private static List<String> asked(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(PROGRAM.toAbsolutePath().toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("JAVA"));
        Process program = builder.start();
        String out = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(program.waitFor()).as(out).isZero();
        return out.lines().toList();
    }

    @Test
    void the_program_for_kubectl_is_what_the_command_prints() throws IOException {
        String printed = Typed.run("", "completion", "kubectl").out();
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.writeString(PROGRAM, printed);
            return;
        }
        assertThat(PROGRAM).as("run with -Dnodeward.docs=write").isExecutable().hasContent(printed);
    }

    @Test
    void kubectl_is_told_candidates_and_what_they_are_for() throws IOException, InterruptedException {
        assertThat(asked(""))
                .contains("eval\tEvaluates cases of a rule: one JSON object per line on standard input, one"
                        + " answer per line, in their order, on standard output")
                .endsWith(":4");
        assertThat(asked("pl")).hasSize(2).first().asString().startsWith("plan\tSays which Nodes");
        assertThat(asked("--v")).containsExactly("--version\tPrint version information and exit.", ":4");
        assertThat(asked("plan", "--fail")).containsExactly("--fail-on\tExit with 3 on nothing, changes, evictions"
                + " (default: nothing)", ":4");
        assertThat(asked("plan", "-")).contains("-f\tYAML or JSON of all objects, as 'kubectl get -o yaml"
                + " --show-managed-fields' writes them; a directory, or - for standard input",
                "-o\ttext, wide, json, yaml, name, markdown (default: text)");
        assertThat(asked("eval", "ta")).containsExactly("taint-command", ":4");
        assertThat(asked("completion", "")).containsExactly("bash", "zsh", "fish", "kubectl", ":4");
    }

    @Test
    void kubectl_is_told_what_an_option_takes_however_it_is_written() throws IOException, InterruptedException {
        assertThat(asked("plan", "--fail-on", "")).containsExactly("nothing", "changes", "evictions", ":4");
        assertThat(asked("plan", "--fail-on=c")).containsExactly("changes", ":4");
        assertThat(asked("explain", "node/n1", "-o", "y")).containsExactly("yaml", ":4");
        assertThat(asked("plan", "-f", "")).as("files").containsExactly(":0");
        assertThat(asked("plan", "--filename=a*")).containsExactly(":0");
        assertThat(asked("plan", "--cluster", "")).containsExactly(":4");
        assertThat(asked("tree", "--all", "cl")).as("it takes nothing").containsExactly(":4");
        assertThat(asked("what", "")).containsExactly(":4");
        assertThat(asked("plan", "--a*; exit 1")).containsExactly(":4");
        assertThat(asked())
                .contains("plan\tSays which Nodes an edit of declared taints changes, which pods go because of"
                        + " it and when, which budgets cover them, and for which pending pods Nodes become schedulable or filtered out.");
    }

    @Test
    void a_shell_that_is_not_there_is_refused_with_those_that_are() {
        Result result = Typed.run("", "completion", "ksh");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("ksh", "bash", "zsh", "fish");
    }
}
