package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

        output = Path.of(".");
        refuses("1.2.4", ". is the current folder, which this would replace; name another\n");

        Files.createFile(checkout.resolve("new"));
        refuses("1.2.4", "there are changes that are not committed: 'git status' lists them\n");
    }

    @Test
    void it_says_what_it_lacks() throws Exception {
        commit("nodeward", "pom.xml", "deploy/release");
        Files.move(checkout.resolve(".git"), directory.resolve("git"));
        refuses("1.2.4", "needs a git clone\n");

        Files.move(directory.resolve("git"), checkout.resolve(".git"));
        for (String program : List.of("awk", "bash", "date", "dirname", "git", "sort")) {
            program(program, "exec /bin/" + program + " \"$@\"\n");
        }
        Map<String, String> few = Map.of("PATH", directory.resolve("bin").toString());
        assertThat(release(few, "1.2.4", "--output", output.toString()))
                .isEqualTo(new LauncherTest.Outcome(1, "nodeward release: needs gpg\n"));
        assertThat(release(few, "1.2.4", "--changelog").output()).as("neither built nor signed")
                .isEqualTo("# 1.2.4 (2026-01-02)\n\n## all\n\n- as it was\n");
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
        program("mvn",
                """
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
                        [ $1 != image ] || printf '{"components": [{"purl": "pkg:own", "name": "a", "group": "io.nodeward"}%s]}' \
                          ',{"purl": "pkg:jar", "name": "b", "group": "c", "hashes": [{"alg": "SHA-256", "content": "3"}]}
                          ,{"purl": "pkg:deb'"$5"'", "name": "d"}, {"purl": "pkg:jdk", "name": "e", "components":
                          [{"purl": "pkg:jdk#f", "name": "f", "hashes": [{"alg": "SHA-256", "content": "2"}]}]}' \
                          >"$3/nodeward${5:+-$5}.cdx.json"
                        END
                        """
                        + then);
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
                "maven/arguments", "maven/commit", CHART, "nodeward-arm64.cdx.json", "nodeward.cdx.json",
                "provenance.intoto.json");
        assertSigned();
        String commit = git("rev-parse", "HEAD").strip();
        assertThat(assertProvenance(sums, commit)).isEqualTo(Json.tree(Map.of(
                "buildDefinition", Map.of("buildType", "https://nodeward.io/release/v1",
                        "externalParameters", Map.of("version", VERSION, "url", "https://example.com/v", "options",
                                List.of("--no-aot", "--arm64")),
                        "internalParameters", Map.of("maven", "3.9.9"),
                        "resolvedDependencies", List.of(
                                Map.of("name", "nodeward", "digest", Map.of("gitCommit", commit)),
                                Map.of("name", "f", "uri", "pkg:jdk#f", "digest", Map.of("sha256", "2")),
                                Map.of("name", "b", "uri", "pkg:jar", "digest", Map.of("sha256", "3")),
                                Map.of("name", "d", "uri", "pkg:deb"), Map.of("name", "d", "uri", "pkg:debarm64"),
                                Map.of("name", "e", "uri", "pkg:jdk"))),
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
        Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rwxr-x--x");
        Files.setPosixFilePermissions(Files.createDirectory(output), permissions);
        LauncherTest.Outcome outcome = release(stub(""), "1.2.3", "--output", output.toString());
        assertThat(outcome.output()).contains("nodeward release: without --key nothing is signed\n")
                .endsWith("\nnodeward release: 1.2.3 is in " + output + "; 'git tag v1.2.3 "
                        + git("rev-parse", "HEAD").strip() + "' once it is published\n");
        assertThat(files()).contains("SHA256SUMS").noneMatch(file -> file.endsWith(".asc"));
        assertThat(Files.getPosixFilePermissions(output)).isEqualTo(permissions);
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

    private void assertNothingBeside() {
        assertThat(directory.toFile().list()).contains("output").noneMatch(name -> name.startsWith("."));
    }

    /** Somebody writes to the folder during the build. */
    @Test
    void what_cannot_arrive_whole_does_not_arrive() throws Exception {
        commitBuildable();
        LauncherTest.Outcome outcome = release(stub("touch '" + output.resolve("left") + "'\n"), VERSION, "--output",
                output.toString());
        assertThat(outcome.output()).endsWith("nodeward release: " + output + " is not the empty folder any more\n");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(output.toFile().list()).containsExactly("left");
        assertNothingBeside();
    }

    @Test
    void a_folder_that_cannot_be_replaced_is_refused_before_anything_is_built() throws Exception {
        commitBuildable();
        Map<String, String> environment = stub("exit 1\n");
        program("mv", "exit 1\n"); // as for a mount point
        assertThat(release(environment, VERSION, "--output", output.toString())).isEqualTo(new LauncherTest.Outcome(1,
                "nodeward release: " + output + " cannot be replaced by another folder\n"));
        assertThat(output).isEmptyDirectory();
        assertNothingBeside();
    }

    /** Somebody commits as soon as the release has begun. */
    @Test
    void what_is_committed_meanwhile_is_in_none_of_it() throws Exception {
        commitBuildable();
        String commit = git("rev-parse", "HEAD").strip();
        program("git",
                """
                        /bin/git "$@" || exit
                        case $* in *' rev-parse HEAD')
                          /bin/git -C "$2" -c user.name=a -c user.email=a@example.com commit --quiet --allow-empty -m 'chart: new' ;;
                        esac
                        """);
        LauncherTest.Outcome outcome = release(stub(""), VERSION, "--output", output.toString());
        assertThat(git("log", "-1", "--format=%s")).isEqualTo("chart: new\n");
        assertThat(outcome.output()).endsWith("'git tag v" + VERSION + " " + commit + "' once it is published\n");
        assertThat(output.resolve("maven/commit")).hasContent(commit);
        assertThat(output.resolve("maven/arguments")).content()
                .contains("-Dproject.build.outputTimestamp=2026-01-02T03:04:05Z\n");
        assertThat(output.resolve("CHANGELOG.md"))
                .hasContent("# " + VERSION + " (2026-01-02)\n\n## chart\n\n- " + CHANGE);
        assertChartMetadata(Json.yaml(Shell.run("tar", "-xOzf", output.resolve(CHART).toString(),
                "nodeward/Chart.yaml")).getFirst());
        assertProvenance(sums(), commit);
    }

    private void fails(String step, String expected) throws Exception {
        LauncherTest.Outcome outcome = release(stub(step), VERSION, "--output", output.toString());
        assertThat(outcome.output()).endsWith(expected);
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(output).isEmptyDirectory();
        assertNothingBeside();
    }

    private void commitBuildable() throws Exception {
        commit("nodeward", "pom.xml", "cli/pom.xml", "deploy/release", "deploy/artifacthub-repo.yml",
                "deploy/chart/.helmignore", "deploy/chart/Chart.yaml", "deploy/chart/ci/home.yaml");
        git("tag", "v9.8.6");
        commitNothing("chart: " + CHANGE);
    }
}
