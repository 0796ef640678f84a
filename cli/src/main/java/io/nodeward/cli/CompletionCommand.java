package io.nodeward.cli;

import io.nodeward.cli.completion.Fish;
import io.nodeward.cli.completion.Kubectl;
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
        "  nodeward completion fish | source",
        "  nodeward completion kubectl > kubectl_complete-nodeward",
        "",
        "The last is a program, for 'kubectl nodeward': kubectl finds it in PATH."
})
final class CompletionCommand implements Callable<Integer> {
    enum Shell {
        bash,
        zsh,
        fish,
        kubectl
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
            spec.commandLine().getOut().print(switch (shell) {
                case bash, zsh -> AutoComplete.bash(root.getCommandName(), root); // which turns bashcompinit on in zsh
                case fish -> Fish.script(root);
                case kubectl -> Kubectl.script(root);
            });
            spec.commandLine().getOut().flush();
        }
        return 0;
    }
}
