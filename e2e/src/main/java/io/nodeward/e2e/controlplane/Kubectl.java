package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The real kubectl, with one kubeconfig and a home of its own. */
public record Kubectl(Path program, Path home, Path kubeconfig) {
    public Command.Result run(String... arguments) {
        return runWithInput("", arguments);
    }

    /** @param input what {@code -f -} reads */
    public Command.Result runWithInput(String input, String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                program.toString(), "--kubeconfig", kubeconfig.toString(), "--cache-dir", home.toString()));
        words.addAll(List.of(arguments));
        return new Command(words, Map.of("HOME", home.toString(), "KUBECONFIG", ""), home).run(input);
    }

    /** @param line that a shell reads, in which the program is called kubectl */
    public Command.Result shell(String line) {
        return new Command(List.of("bash", "-c", "kubectl() { command " + program + " --cache-dir " + home
                + " \"$@\"; }; " + line), Map.of("HOME", home.toString(), "KUBECONFIG", kubeconfig.toString()), home)
                .run("");
    }

    /** @throws IllegalStateException with what kubectl said if it refuses */
    public Command.Result apply(String yaml) {
        return runWithInput(yaml, "apply", "-f", "-").orThrow("kubectl apply");
    }
}
