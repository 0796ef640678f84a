package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./nodeward release} in a clone of its own, with a key that exists for as long as the test. */
abstract class ReleaseSuite {
    static final Path ROOT = Shell.root();
    static final String VERSION = "9.8.7-rc.1";
    static final String CHART = "nodeward-" + VERSION + ".tgz";
    /** Neither YAML nor JSON takes it without quotes. */
    static final String CHANGE = "a \"value\": it's {new} # now";

    @TempDir
    Path directory;

    Path checkout;
    Path output;
    Map<String, String> keys;

    @BeforeEach
    void prepare() throws IOException {
        checkout = Files.createDirectory(directory.resolve("checkout"));
        output = directory.resolve("output");
        keys = Map.of("GNUPGHOME", Files.createDirectory(directory.resolve("keys"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))).toString());
    }

    @AfterEach
    void endAgent() throws IOException, InterruptedException {
        Shell.run(keys, "gpgconf", "--kill", "gpg-agent");
    }

    /** With a key that this makes, beside another. */
    void releaseSigned(Map<String, String> environment, String... options) throws IOException, InterruptedException {
        for (String owner : List.of("other", "release")) {
            Shell.run(keys, "gpg", "--batch", "--quiet", "--passphrase", "", "--quick-generate-key",
                    owner + "@example.com", "ed25519", "sign", "never");
        }
        List<String> arguments = new ArrayList<>(
                List.of(VERSION, "--output", output.toString(), "--key", "release@example.com"));
        arguments.addAll(List.of(options));
        Map<String, String> all = new TreeMap<>(keys);
        all.putAll(environment);
        LauncherTest.Outcome outcome = release(all, arguments.toArray(String[]::new));
        assertThat(outcome.exit()).as(outcome.output()).isZero();
        assertThat(git("status", "--porcelain")).as("nothing changes in the checkout").isEmpty();
    }

    /** Of all files but those that are about the others. */
    Map<String, String> sums() throws IOException, InterruptedException {
        Shell.run("sh", "-c", "cd \"$0\" && sha256sum --check --strict --quiet SHA256SUMS", output.toString());
        Map<String, String> sums = Files.readAllLines(output.resolve("SHA256SUMS")).stream()
                .collect(Collectors.toMap(line -> line.substring(66), line -> line.substring(0, 64), (a, b) -> a,
                        TreeMap::new));
        assertThat(sums).containsOnlyKeys(files().stream()
                .filter(file -> !file.endsWith(".asc") && !file.equals("SHA256SUMS")).toList());
        return sums;
    }

    List<String> files() throws IOException {
        try (Stream<Path> files = Files.walk(output)) {
            return files.filter(Files::isRegularFile).map(file -> output.relativize(file).toString()).toList();
        }
    }

    void assertSigned() throws IOException, InterruptedException {
        List<String> files = files();
        assertThat(files).noneMatch(file -> file.matches(".*[.](md5|sha1|asc)[.]asc"));
        assertThat(files).filteredOn(file -> !file.matches(".*[.](md5|sha1|asc)")).contains("SHA256SUMS")
                .allSatisfy(file -> {
                    assertThat(files).contains(file + ".asc");
                    Path signed = output.resolve(file);
                    assertThat(Shell.run(keys, "gpg", "--batch", "--status-fd", "1", "--verify", signed + ".asc",
                            signed.toString())).containsPattern("\\[GNUPG:] GOODSIG [0-9A-F]+ release@example.com\n");
                });
    }

    /** Returns its predicate. */
    JsonNode assertProvenance(Map<String, String> sums, String commit) throws IOException {
        JsonNode statement = Json.parse(Files.readString(output.resolve("provenance.intoto.json")));
        assertThat(statement.path("_type").asText()).isEqualTo("https://in-toto.io/Statement/v1");
        assertThat(statement.path("predicateType").asText()).isEqualTo("https://slsa.dev/provenance/v1");
        Map<String, String> subjects = statement.path("subject").valueStream().collect(Collectors.toMap(
                subject -> subject.path("name").asText(), subject -> subject.at("/digest/sha256").asText()));
        Map<String, String> expected = new TreeMap<>(sums);
        assertThat(expected.remove("provenance.intoto.json")).isNotNull();
        assertThat(subjects).isEqualTo(expected);
        assertThat(statement.at("/predicate/buildDefinition/resolvedDependencies/0/digest/gitCommit").asText())
                .isEqualTo(commit);
        return statement.path("predicate");
    }

    /** With the one change that the clone has since the tag. */
    void assertChartMetadata(JsonNode metadata) {
        assertThat(List.of(metadata.path("version").asText(), metadata.path("appVersion").asText()))
                .containsOnly(VERSION);
        JsonNode annotations = metadata.path("annotations");
        assertThat(annotations.path("artifacthub.io/license").asText()).isEqualTo("Apache-2.0");
        assertThat(annotations.path("artifacthub.io/prerelease").asText()).isEqualTo("true");
        assertThat(Json.yaml("changes:\n" + annotations.path("artifacthub.io/changes").asText()).getFirst()
                .path("changes")).isEqualTo(Json.tree(List.of(CHANGE)));
    }

    /** A clone's first commit: files as they are in the checkout that these tests are of. */
    void commit(String... files) throws IOException, InterruptedException {
        for (String file : files) {
            Path target = checkout.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(ROOT.resolve(file), target);
        }
        git("init", "--quiet");
        git("add", "--all");
        git("commit", "--quiet", "--message", "all: as it was");
    }

    String git(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("git", "-C", checkout.toString()));
        command.addAll(List.of(words));
        String date = "2026-01-02T03:04:05Z";
        return Shell.run(Map.of("GIT_AUTHOR_NAME", "a", "GIT_AUTHOR_EMAIL", "a@example.com", "GIT_COMMITTER_NAME", "a",
                "GIT_COMMITTER_EMAIL", "a@example.com", "GIT_AUTHOR_DATE", date, "GIT_COMMITTER_DATE", date),
                command.toArray(String[]::new));
    }

    void commitNothing(String subject) throws IOException, InterruptedException {
        git("commit", "--quiet", "--allow-empty", "--message", subject);
    }

    LauncherTest.Outcome release(String... arguments) throws IOException, InterruptedException {
        return release(keys, arguments);
    }

    LauncherTest.Outcome release(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("release"));
        all.addAll(List.of(arguments));
        return LauncherTest.launch(checkout, directory, "", environment, all.toArray(String[]::new));
    }
}
