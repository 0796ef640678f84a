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

/**
 * {@code deploy/krew/package} in a checkout of its own, where a Maven that copies the jars of this build notes that it
 * was called.
 */
@Tag("deep")
class KrewPackageTest {
    private static final Path ROOT = Shell.root();

    @TempDir
    private Path directory;

    private Path checkout;
    private Path calls;

    @BeforeEach
    void checkOut() throws IOException, InterruptedException {
        Path jars = ROOT.resolve("cli/target/lib");
        assertThat(jars).as("'mvn verify' makes it").isNotEmptyDirectory();
        checkout = Files.createDirectory(directory.resolve("checkout"));
        calls = directory.resolve("calls");
        Path maven = Files.writeString(Files.createDirectory(directory.resolve("bin")).resolve("mvn"), """
                #!/bin/sh
                echo "$@" >>'%s'
                mkdir -p cli/target && cp -R '%s' cli/target/lib
                """.formatted(calls, jars));
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        Shell.run("cp", "-R", ROOT.resolve("nodeward").toString(), ROOT.resolve("LICENSE").toString(),
                ROOT.resolve("pom.xml").toString(), ROOT.resolve("deploy").toString(), checkout.toString());
        git("init", "-q", "--template=");
        git("add", ".");
        git("-c", "user.name=n", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false",
                "-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "All");
    }

    @Test
    void it_packs_what_was_built_from_the_checkout_and_names_its_commit() throws Exception {
        String commit = git("rev-parse", "--short", "HEAD").strip();
        Path archive = pack();
        assertThat(calls).content().contains("-pl cli -am package").hasLineCount(1);
        assertThat(Shell.run("tar", "-tzf", archive.toString())).contains("nodeward\nLICENSE\n",
                "cli/target/lib/nodeward-cli-");
        assertThat(version(archive)).isEqualTo("v1.2.3 (" + commit + ")\n");

        Files.writeString(checkout.resolve("LICENSE"), "another");
        assertThat(version(pack())).isEqualTo("v1.2.3 (" + commit + "-dirty)\n");
        assertThat(calls).content().as("nothing that is built has changed").hasLineCount(1);

        Files.createFile(Files.createDirectories(checkout.resolve("cli/src/main/java")).resolve("New.java"));
        pack();
        assertThat(calls).content().hasLineCount(2);
    }

    private Path pack() throws IOException, InterruptedException {
        Path made = directory.resolve("made");
        Shell.run(Map.of("PATH", directory.resolve("bin") + ":" + System.getenv("PATH")),
                checkout.resolve("deploy/krew/package").toString(), "v1.2.3",
                "https://example.com/kubectl-nodeward.tar.gz", made.toString());
        return made.resolve("kubectl-nodeward.tar.gz");
    }

    private static String version(Path archive) throws IOException, InterruptedException {
        return Shell.run("tar", "-xzOf", archive.toString(), "VERSION");
    }

    private String git(String... arguments) throws IOException, InterruptedException {
        String[] command = new String[arguments.length + 3];
        command[0] = "git";
        command[1] = "-C";
        command[2] = checkout.toString();
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        return Shell.run(command);
    }
}
