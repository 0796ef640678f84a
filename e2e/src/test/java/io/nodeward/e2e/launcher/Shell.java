package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Programs as a user of a checkout runs them. */
public final class Shell {
    private Shell() {}

    public static String run(String... command) throws IOException, InterruptedException {
        return run(Map.of(), command);
    }

    /** Returns all that it prints; it must end well. */
    public static String run(Map<String, String> environment, String... command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("NODEWARD_NO_BUILD");
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_")); // a hook's would lead elsewhere
        builder.environment().putAll(environment);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** Of the checkout that these tests are of. */
    public static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("nodeward"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
