package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
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
        assertThat(release("1.2.3", "1.2.4")).isEqualTo(new LauncherTest.Outcome(2,
                "nodeward release: one version, not '1.2.3' and '1.2.4'; --help lists the options\n"));
        assertThat(release("1.2.3", "--banana")).isEqualTo(new LauncherTest.Outcome(2,
                "nodeward release: unknown option '--banana'; --help lists the options\n"));
        assertThat(release("--output", output.toString())).isEqualTo(new LauncherTest.Outcome(2,
                "nodeward release: names no version; --help lists the options\n"));
        assertThat(release("--help").output()).startsWith("Makes all files of a release").contains("--changelog ")
                .doesNotContain("set -e");
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

        output = Files.createFile(directory.resolve("file"));
        refuses("1.2.4", output + " is no folder\n");

        Files.createFile(checkout.resolve("new"));
        refuses("1.2.4", "there are changes that are not committed: 'git status' lists them\n");
    }

    @Test
    void it_says_what_it_lacks() throws Exception {
        commit("nodeward", "pom.xml", "deploy/release");
        Files.move(checkout.resolve(".git"), directory.resolve("git"));
        refuses("1.2.4", "needs a git clone\n");

        for (String program : List.of("bash", "dirname", "git")) {
            program(program, "exec /bin/" + program + " \"$@\"\n");
        }
        assertThat(release(Map.of("PATH", directory.resolve("bin").toString()), "1.2.4", "--changelog"))
                .isEqualTo(new LauncherTest.Outcome(1, "nodeward release: needs gpg\n"));
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
        git("checkout", "--quiet", "-b", "side");
        commitNothing("core/spi: a verb");
        git("tag", "nightly");
        git("checkout", "--quiet", "v1.2.3");
        git("merge", "--quiet", "--no-ff", "--message", "core/spi: a merge", "side");
        for (String subject : List.of("A thought", "chart, docs: a value: of it", "core/spi: Another verb")) {
            commitNothing(subject);
            git("tag", "--force", "banana");
        }
        assertThat(release("1.3.0", "--changelog").output()).isEqualTo("""
                # 1.3.0 (2026-01-02)

                ## chart

                - chart, docs: a value: of it

                ## core/spi

                - a verb
                - Another verb

                ## other

                - A thought
                """);
    }

    /** In the place of Maven and of what it builds, programs that say how they were called. */
    private Map<String, String> stub(String then) throws IOException {
        program("mvn", """
                for word; do
                  case $word in -DaltDeploymentRepository=*) repository=${word#*file://} ;; esac
                done
                [ -n "${repository:-}" ] || { printf '\\033[1mApache Maven 3.9.9 (0)\\033[m\n'; exit; }
                mkdir -p "$repository/a" && cp --parents pom.xml cli/pom.xml "$repository/a"
                touch "$repository/maven-metadata.xml" "$repository/a/pom.xml.sha1" "$repository/a/pom.xml.md5"
                git describe --always --dirty --abbrev=40 --exclude='*' >"$repository/commit"
                printf '%s\n' "${@//$repository/REPOSITORY}" >"$repository/arguments"
                cat >nodeward <<'END'
                #!/bin/bash
                printf '%s\n' "$NODEWARD_NO_BUILD" "${@:4}" >>"$3/$1"
                END
                """ + then);
        return Map.of("PATH", directory.resolve("bin") + ":" + System.getenv("PATH"));
    }

    private void program(String name, String text) throws IOException {
        Path file = Files.createDirectories(directory.resolve("bin")).resolve(name);
        assertThat(Files.writeString(file, "#!/bin/bash\n" + text).toFile().setExecutable(true)).isTrue();
    }

    @Test
    void each_file_is_summed_signed_and_in_the_provenance() throws Exception {
        commitBuildable();
        releaseSigned(stub(""), "--url", "https://example.com/v", "--builder", "https://example.com/b", "--no-aot",
                "--arm64");
        Map<String, String> sums = sums();
        assertThat(sums).containsOnlyKeys("CHANGELOG.md", "artifacthub-repo.yml", "dist", "image",
                "maven/a/cli/pom.xml", "maven/a/pom.xml", "maven/a/pom.xml.md5", "maven/a/pom.xml.sha1",
                "maven/arguments", "maven/commit", CHART, "provenance.intoto.json");
        assertSigned();
        assertThat(assertProvenance(sums)).isEqualTo(Json.tree(Map.of(
                "buildDefinition", Map.of("buildType", "https://nodeward.io/release/v1",
                        "externalParameters", Map.of("version", VERSION, "url", "https://example.com/v", "options",
                                List.of("--no-aot", "--arm64")),
                        "internalParameters", Map.of("maven", "3.9.9"),
                        "resolvedDependencies", List.of(Map.of("name", "nodeward",
                                "digest", Map.of("gitCommit", git("rev-parse", "HEAD").strip())))),
                "runDetails", Map.of("builder", Map.of("id", "https://example.com/b")))));
        assertThat(output.resolve("image")).hasContent("yes\n--no-aot\nyes\n--arch\narm64");
        assertThat(output.resolve("dist")).hasContent("yes\n--release\nv" + VERSION + "\n--url\nhttps://example.com/v");
        assertThat(output.resolve("CHANGELOG.md")).hasContent(release(VERSION, "--changelog").output());
    }

    @Test
    void what_is_built_has_the_version_and_the_time_of_the_commit() throws Exception {
        commitBuildable();
        assertThat(release(stub(""), VERSION, "--output", output.toString()).exit()).isZero();
        assertThat(output.resolve("maven/commit")).as("without -dirty").hasContent(git("rev-parse", "HEAD"));
        assertThat(output.resolve("maven/a/pom.xml")).content().contains("\n  <version>" + VERSION + "</version>\n");
        assertThat(output.resolve("maven/a/cli/pom.xml")).content()
                .contains("\n    <version>" + VERSION + "</version>\n");
        assertThat(output.resolve("maven/arguments")).content().contains("-Prelease\n", "deploy\n", "-DskipTests\n",
                "-Dproject.build.outputTimestamp=2026-01-02T03:04:05Z\n");
        String chart = output.resolve(CHART).toString();
        assertThat(Shell.run("tar", "--numeric-owner", "--utc", "-tvzf", chart).lines()
                .map(line -> line.replaceAll(" +[0-9]+ 2026", " 2026")))
                .containsExactly("drwxr-xr-x 0/0 2026-01-02 03:04 nodeward/",
                        "-rw-r--r-- 0/0 2026-01-02 03:04 nodeward/.helmignore",
                        "-rw-r--r-- 0/0 2026-01-02 03:04 nodeward/Chart.yaml");
        assertChartMetadata(Json.yaml(Shell.run("tar", "-xOzf", chart, "nodeward/Chart.yaml")).getFirst());
    }

    @Test
    void a_version_that_is_no_candidate_is_said_to_be_none_and_may_be_left_unsigned() throws Exception {
        commitBuildable();
        LauncherTest.Outcome outcome = release(stub(""), "1.2.3", "--output", output.toString());
        assertThat(outcome.output()).contains("nodeward release: without --key nothing is signed\n")
                .endsWith("'git tag v1.2.3 " + git("rev-parse", "HEAD").strip() + "' once it is published\n");
        assertThat(files()).contains("SHA256SUMS").noneMatch(file -> file.endsWith(".asc"));
        JsonNode metadata = Json.yaml(Shell.run("tar", "-xOzf", output.resolve("nodeward-1.2.3.tgz").toString(),
                "nodeward/Chart.yaml")).getFirst();
        assertThat(metadata.at("/annotations/artifacthub.io~1prerelease").asText()).isEqualTo("false");
    }

    @Test
    void what_fails_leaves_no_file() throws Exception {
        commitBuildable();
        fails("exit 1\n", "nodeward release: the build failed\n");
        fails("echo 'echo no $1 >&2; [ $1 != dist ]' >>nodeward\n", "no image\nno dist\n");
    }

    private void fails(String step, String expected) throws Exception {
        LauncherTest.Outcome outcome = release(stub(step), VERSION, "--output", output.toString());
        assertThat(outcome.output()).endsWith(expected);
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(output).isEmptyDirectory();
    }

    private void commitBuildable() throws Exception {
        commit("nodeward", "pom.xml", "cli/pom.xml", "deploy/release", "deploy/artifacthub-repo.yml",
                "deploy/chart/.helmignore", "deploy/chart/Chart.yaml", "deploy/chart/ci/home.yaml");
        git("tag", "v9.8.6");
        commitNothing("chart: a \"value\"");
    }
}
