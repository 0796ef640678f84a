package io.nodeward.cli;

import io.nodeward.cli.completion.Fish;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nodeward completion SHELL}: a script that needs no Java when a key is pressed. */
@Command(name = "completion", sortOptions = false, description = {
        "Prints a script by which a shell completes commands, options and their values.",
        "",
        "  source <(nodeward completion bash)",
        "  source <(nodeward completion zsh)",
        "  nodeward completion fish | source"
})
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    Shell shell = Shell.bash;

    @Spec
    @Nullable
    CommandSpec spec;

    @Override
    public Integer call() {
        if (spec != null) {
            CommandLine root = spec.root().commandLine();
            spec.commandLine().getOut().print(shell == Shell.fish
                    ? Fish.script(root)
                    : AutoComplete.bash(root.getCommandName(), root)); // zsh: it turns bashcompinit on
            spec.commandLine().getOut().flush();
        }
        return 0;
    }
}
