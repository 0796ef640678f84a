package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A launcher in a checkout of its own, where a Maven that copies the jars of this build notes that it was called. */
@Tag("deep")
class RebuildTest {
    private static final Path ROOT = Shell.root();

    @TempDir
    private Path directory;

    private Path checkout;
    private Path calls;
    private Path source;

    @BeforeEach
    void checkOut() throws IOException, InterruptedException {
        Path jars = ROOT.resolve("cli/target/lib");
        assertThat(jars).as("'mvn verify' makes it").isNotEmptyDirectory();
        checkout = Files.createDirectory(directory.resolve("checkout"));
        calls = directory.resolve("calls");
        Path maven = Files.writeString(Files.createDirectory(directory.resolve("bin")).resolve("mvn"), """
                #!/bin/sh
                echo "$@" >>'%s'
                mkdir -p demo/target/lib cli/target && cp -R '%s' cli/target/lib
                """.formatted(calls, jars));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        source = Files.createFile(Files.createDirectories(checkout.resolve("cli/src/main/java")).resolve("Known.java"));
        for (String file : new String[]{"nodeward", "pom.xml"}) {
            Files.copy(ROOT.resolve(file), checkout.resolve(file));
        }
    }

    @Test
    void the_demo_builds_the_command_too_which_is_built_again_for_newer_sources_alone() throws Exception {
        assertThat(launch("demo", "--once").output()).as("there is no demo in this checkout")
                .startsWith(
                        "nodeward: building demo,cli (the first time takes some minutes, most of them downloads)\n");
        assertThat(calls).content().isEqualTo("-q -pl demo,cli -am package -DskipTests -Dstyle.color=never\n");

        Files.createFile(Files.createDirectories(checkout.resolve("docs")).resolve("new.md"));
        assertThat(launch("plan", "--help").output()).startsWith("Usage: nodeward plan");
        assertThat(calls).content().hasLineCount(1);

        Files.writeString(source, "class Known {}");
        assertThat(launch("plan", "--help").output())
                .startsWith("nodeward: building cli (cli/src/main/java/Known.java is newer)\nUsage: nodeward plan");
        assertThat(launch("plan", "--help").output()).startsWith("Usage: nodeward plan");
        assertThat(calls).content().hasLineCount(2)
                .endsWith("-q -pl cli -am package -DskipTests -Dstyle.color=never\n");
    }

    private LauncherTest.Outcome launch(String... arguments) throws IOException, InterruptedException {
        return LauncherTest.launch(checkout, directory, "",
                Map.of("PATH", directory.resolve("bin") + ":" + System.getenv("PATH")), arguments);
    }
}
