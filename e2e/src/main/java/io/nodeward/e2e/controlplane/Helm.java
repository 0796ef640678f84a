package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The real Helm, with one kubeconfig and a home of its own. */
public record Helm(Path program, Path home, Path kubeconfig) {
    public Command.Result run(String... arguments) {
        List<String> words = Stream.concat(Stream.of(program.toString()), Stream.of(arguments)).toList();
        return new Command(words, Map.of("HOME", home.toString(), "XDG_CACHE_HOME", home.toString(),
                "XDG_CONFIG_HOME", home.toString(), "XDG_DATA_HOME", home.toString(),
                "KUBECONFIG", kubeconfig.toString()), home).run("");
    }
}
