package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What {@code ./nodeward release} refuses, and what it makes of the files that the build has made. */
class ReleaseTest extends ReleaseSuite {
    @Test
    void it_refuses_what_is_no_version_of_a_release() throws Exception {
        commit("nodeward", "pom.xml", "deploy/release");
        for (String version : List.of("1.2", "v1.2.3", "01.2.3", "1.2.3-", "1.2.3-01", "1.2.3-a..b", "1.2.3+build")) {
            assertThat(release(version, "--output", output.toString())).as(version).isEqualTo(
                    new LauncherTest.Outcome(2, "nodeward release: '" + version
                            + "' is no version such as 1.2.3 or 1.2.3-rc.1; --help lists the options\n"));
        }
        assertThat(release("1.2.3-SNAPSHOT", "--output", output.toString())).isEqualTo(
                new LauncherTest.Outcome(2, "nodeward release: a snapshot is no release; --help lists the options\n"));
        assertThat(release("1.2.3")).isEqualTo(new LauncherTest.Outcome(2,
                "nodeward release: where to? --output names a folder; --help lists the options\n"));
        assertThat(release("1.2.3", "--output")).isEqualTo(new LauncherTest.Outcome(2,
                "nodeward release: --output needs a value; --help lists the options\n"));
        assertThat(output).doesNotExist();
    }

    @Test
    void it_refuses_before_it_builds_anything() throws Exception {
        commit("nodeward", "pom.xml", "deploy/release");
        git("tag", "v1.2.3");
        refuses("1.2.3", "v1.2.3 is tagged already\n");
        refuses("1.2.4", "gpg has no secret key 'nobody@example.com'\n", "--key", "nobody@example.com");

        Path left = Files.createFile(Files.createDirectory(output).resolve("left"));
        refuses("1.2.4", output + " is not empty\n");
        assertThat(output).isDirectoryContaining(left::equals);

        Files.createFile(checkout.resolve("new"));
        refuses("1.2.4", "there are changes that are not committed: 'git status' lists them\n");
    }

    private void refuses(String version, String reason, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(version, "--output", output.toString()));
        arguments.addAll(List.of(options));
        assertThat(release(arguments.toArray(String[]::new)))
                .isEqualTo(new LauncherTest.Outcome(1, "nodeward release: " + reason));
    }

    @Test
    void the_changelog_has_the_commits_since_the_tag_before_by_component() throws Exception {
        commit("nodeward", "pom.xml", "deploy/release");
        git("tag", "v1.2.3");
        for (String subject : List.of("core/spi: a verb", "A thought", "chart, docs: a value: of it",
                "core/spi: and its answer")) {
            git("commit", "--quiet", "--allow-empty", "--message", subject);
        }
        assertThat(release("1.3.0", "--changelog").output()).isEqualTo("""
                # 1.3.0 (2026-01-02)

                ## chart

                - chart, docs: a value: of it

                ## core/spi

                - a verb
                - and its answer

                ## other

                - A thought
                """);
    }

    @Test
    void each_file_is_summed_signed_and_in_the_provenance() throws Exception {
        Path maven = Files.writeString(Files.createDirectory(directory.resolve("bin")).resolve("mvn"), """
                #!/bin/bash
                for word; do
                  case $word in -DaltDeploymentRepository=*) repository=${word#*file://} ;; esac
                done
                [ -n "${repository:-}" ] || { echo 'Apache Maven 3.9.9'; exit; }
                mkdir -p "$repository/a" && cp pom.xml "$repository/a" && touch "$repository/maven-metadata.xml"
                git describe --always --dirty --abbrev=40 --exclude='*' >"$repository/commit"
                echo '#!/bin/sh' >nodeward
                """);
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        commit("nodeward", "pom.xml", "deploy/release", "deploy/artifacthub-repo.yml", "deploy/chart/.helmignore",
                "deploy/chart/Chart.yaml", "deploy/chart/ci/home.yaml");
        releaseSigned(Map.of("PATH", maven.getParent() + ":" + System.getenv("PATH")));
        Map<String, String> sums = sums();
        assertThat(sums).containsOnlyKeys("CHANGELOG.md", "artifacthub-repo.yml", "maven/a/pom.xml", "maven/commit",
                "nodeward-" + VERSION + ".tgz", "provenance.intoto.json");
        assertSigned();
        assertProvenance(sums);
        assertThat(output.resolve("maven/commit")).as("without -dirty").hasContent(git("rev-parse", "HEAD"));
        assertThat(output.resolve("maven/a/pom.xml")).content().contains("\n  <version>" + VERSION + "</version>\n");
        String chart = output.resolve("nodeward-" + VERSION + ".tgz").toString();
        assertThat(Shell.run("tar", "-tzf", chart).lines())
                .containsExactly("nodeward/", "nodeward/.helmignore", "nodeward/Chart.yaml");
        JsonNode metadata = Json.yaml(Shell.run("tar", "-xOzf", chart, "nodeward/Chart.yaml")).getFirst();
        assertThat(List.of(metadata.path("version").asText(), metadata.path("appVersion").asText()))
                .containsOnly(VERSION);
    }
}
