package io.nodeward.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What kubectl itself offers behind {@code kubectl nodeward}, as a shell asks it. */
class PluginCompletionTest {
    private static final Path PROGRAM = Path.of("..", "deploy", "krew", "kubectl_complete-nodeward").toAbsolutePath();

    @TempDir
    Path directory;

    private List<String> completed(String... words) throws IOException, InterruptedException {
        Path kubectl = ControlPlane.shared().binaries().path(Component.KUBECTL);
        Path plugin = directory.resolve("kubectl-nodeward");
        if (!Files.exists(plugin)) {
            Files.createSymbolicLink(plugin, Path.of("..", "nodeward").toAbsolutePath());
            Files.createSymbolicLink(directory.resolve("kubectl_complete-nodeward"), PROGRAM);
        }
        List<String> command = new ArrayList<>(List.of(kubectl.toString(), "__complete", "nodeward"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("PATH", directory + ":" + System.getenv("PATH"));
        builder.environment().remove("JAVA_HOME");
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out.lines().map(line -> line.split("\t")[0]).toList();
    }

    @Test
    void kubectl_completes_the_plugin() throws Exception {
        assertThat(completed("")).contains("plan", "explain", "taint").endsWith(":4");
        assertThat(completed("exp")).containsExactly("explain", ":4");
        assertThat(completed("plan", "--fail")).containsExactly("--fail-on", ":4");
        assertThat(completed("plan", "--fail-on", "")).containsExactly("nothing", "changes", "evictions", ":4");
        assertThat(completed("plan", "-f", "")).as("files").containsExactly(":0");
    }
}
