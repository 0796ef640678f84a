package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code ./nodeward dist} makes, installed as krew does it, on a machine without Java. */
@Tag("deep")
class PluginArchiveTest {
    private static final String LINUX = "kubectl-nodeward-linux-amd64.tar.gz";
    private static final String JAVA = "kubectl-nodeward-java.tar.gz";
    private static final String MANIFEST = "nodeward.yaml";
    private static final Path JDKS = Path.of("/usr/lib/jvm");
    private static final Path JDK = Path.of(System.getProperty("java.home"));
    /** Arguments: a folder to hide, and the command. */
    private static final String WITHOUT = "set -e; mount -t tmpfs none \"$0\"; exec \"$@\"";

    @TempDir
    private static Path made;

    @TempDir
    private Path directory;

    private record Outcome(int exit, String out, String err) {}

    @BeforeAll
    static void make() throws Exception {
        pack(made, "022");
    }

    private static void pack(Path output, String umask) throws IOException, InterruptedException {
        Shell.run(Map.of("NODEWARD_NO_BUILD", "yes"), "sh", "-c", "umask " + umask + "; exec \"$0\" \"$@\"",
                Shell.root().resolve("nodeward").toString(), "dist", "--output", output.toString(),
                "--release", "v1.2.3", "--url", "https://example.com/v1.2.3");
    }

    @Test
    void krew_can_unpack_what_the_manifest_names() throws Exception {
        for (String archive : List.of(LINUX, JAVA)) {
            String file = made.resolve(archive).toString();
            assertThat(Shell.run("tar", "-tvzf", file).lines()).as("krew knows no links")
                    .allMatch(line -> line.startsWith("-") || line.startsWith("d"));
            List<String> names = Shell.run("tar", "-tzf", file).lines().toList();
            assertThat(names).contains("LICENSE", "VERSION", "nodeward", "kubectl_complete-nodeward");
            assertThat(names.contains("runtime/bin/java")).isEqualTo(archive.equals(LINUX));
            assertThat(names.contains("kubectl-nodeward.bat")).isEqualTo(archive.equals(JAVA));
            assertThat(Shell.run("sh", "-c", "cd \"$0\" && sha256sum --check \"$1\"", made.toString(),
                    archive + ".sha256")).isEqualTo(archive + ": OK\n");
        }
        JsonNode spec = Json.yaml(Files.readString(made.resolve(MANIFEST))).getFirst().path("spec");
        assertThat(spec.path("version").asText()).isEqualTo("v1.2.3");
        for (JsonNode platform : spec.path("platforms")) {
            String archive = platform.at("/selector/matchLabels").toString()
                    .equals("{\"os\":\"linux\",\"arch\":\"amd64\"}") ? LINUX : JAVA;
            assertThat(platform.path("uri").asText()).isEqualTo("https://example.com/v1.2.3/" + archive);
            assertThat(made.resolve(archive + ".sha256")).content().startsWith(platform.path("sha256").asText() + " ");
            assertThat(install(archive).resolve(platform.path("bin").asText())).isExecutable();
        }
    }

    @Test
    void it_is_the_same_each_time_whoever_packs_it() throws Exception {
        pack(directory, "077");
        for (String file : List.of(LINUX, JAVA, MANIFEST)) {
            assertThat(directory.resolve(file)).hasSameBinaryContentAs(made.resolve(file));
        }
    }

    @Test
    void kubectl_runs_it_where_there_is_no_java() throws Exception {
        Path store = install(LINUX);
        try (MachineSuite suite = MachineSuite.in("plugin")) {
            suite.cluster("c");
            suite.fleet()
                    .pair(MachineSpec.named("plugin-1", "c").withTaint("example.com/p", "1", "NoSchedule", "Always"));
            suite.controlPlane().kubectl().run("taint", "node", "plugin-1", "example.com/p=1:NoSchedule")
                    .orThrow("kubectl taint");
            Map<String, String> environment = Map.of("KUBECONFIG",
                    suite.controlPlane().file(suite.controlPlane().adminKubeconfig()).toString());
            Outcome explained = kubectl(environment, "explain", "node/plugin-1", "--cluster", "plugin/c", "-o", "json");
            assertThat(explained).returns(0, Outcome::exit).returns("", Outcome::err);
            JsonNode taint = Json.parse(explained.out()).at("/taints/0");
            assertThat(List.of(taint.path("taint"), taint.path("status"), taint.at("/path/0")))
                    .extracting(JsonNode::asText)
                    .containsExactly("example.com/p=1:NoSchedule", "Always", "Machine plugin/plugin-1");
            assertThat(store.resolve("cli/target/commands.aot")).as("for the next start").isNotEmptyFile();
            assertThat(kubectl(environment, "explain", "node/plugin-1", "--cluster", "plugin/c", "-o", "json"))
                    .isEqualTo(explained);
        }
        assertThat(kubectl(Map.of(), "--version")).isEqualTo(kubectl(Map.of(), "plan", "--version"))
                .returns("", Outcome::err).extracting(Outcome::out).asString()
                .matches("nodeward v1.2.3 \\([0-9a-f]{10}\\S*\\)\n");
    }

    @Test
    void it_says_why_it_reaches_no_cluster() throws Exception {
        install(LINUX);
        String named = "\nName one with --kubeconfig or $KUBECONFIG; 'kubectl config view' shows what it is to hold.\n";
        assertThat(kubectl(Map.of(), "explain", "node/n")).isEqualTo(new Outcome(1, "",
                "error: no kubeconfig: " + directory.resolve("home/.kube/config") + " does not exist" + named));
        assertThat(kubectl(Map.of("KUBECONFIG", "/none"), "explain", "node/n"))
                .isEqualTo(new Outcome(1, "", "error: no kubeconfig: /none does not exist" + named));
        Path bad = Files.writeString(directory.resolve("bad"), "{");
        assertThat(kubectl(Map.of("KUBECONFIG", bad.toString()), "explain", "node/n")).isEqualTo(new Outcome(1, "",
                "error: the kubeconfig cannot be used: " + bad + ": the kubeconfig is no YAML of a kubeconfig\n"));
        String nobody = "127.0.0.1:" + Ports.free();
        Path away = Files.writeString(directory.resolve("away"), Json.tree(Map.of("current-context", "c",
                "contexts", List.of(Map.of("name", "c", "context", Map.of("cluster", "c"))),
                "clusters", List.of(Map.of("name", "c", "cluster", Map.of("server", "https://" + nobody)))))
                .toString());
        assertThat(kubectl(Map.of("KUBECONFIG", away.toString()), "explain", "node/n")).isEqualTo(new Outcome(1, "",
                "The connection to the server " + nobody + " was refused - did you specify the right host or port?\n"
                        + "Is it running, and is context c the one that is meant (--context)?\n"));
    }

    @Test
    void an_archive_without_a_runtime_says_which_java_it_needs() throws Exception {
        install(JAVA);
        assertThat(kubectl(Map.of(), "plan", "--help")).returns(1, Outcome::exit).returns("", Outcome::out)
                .extracting(Outcome::err).asString().isEqualTo("error: needs a JDK 25 or later: "
                        + "looked at $JAVA_HOME, PATH, /usr/lib/jvm, ~/.sdkman, ~/.jdks, /opt\n");
        Path old = Files.createDirectories(directory.resolve("jdk-21/bin"));
        Files.writeString(old.resolveSibling("release"), "JAVA_VERSION=\"21.0.2\"\n");
        assertThat(Files.createFile(old.resolve("java")).toFile().setExecutable(true)).isTrue();
        assertThat(kubectl(Map.of("JAVA_HOME", old.getParent().toString()), "plan", "--help"))
                .returns(1, Outcome::exit).extracting(Outcome::err).asString()
                .startsWith(
                        "error: needs a JDK 25 or later: found Java 21 (" + old.resolve("java") + "); looked at ");
    }

    /** Into a folder of its own, to which there is a link in PATH. */
    private Path install(String archive) throws IOException, InterruptedException {
        Path store = Files.createTempDirectory(directory, "store");
        Shell.run("tar", "-C", store.toString(), "-xzf", made.resolve(archive).toString());
        Path bin = Files.createDirectories(directory.resolve("bin"));
        link(bin.resolve("kubectl"), ControlPlane.shared().binaries().path(Component.KUBECTL));
        link(bin.resolve("kubectl-nodeward"), store.resolve("kubectl-nodeward"));
        return store;
    }

    private static void link(Path link, Path target) throws IOException {
        Files.deleteIfExists(link);
        Files.createSymbolicLink(link, target);
    }

    private Outcome kubectl(Map<String, String> environment, String... words) throws IOException, InterruptedException {
        assertThat(withoutJava(environment, List.of("sh", "-c", "command -v java"))).as("a Java that is not hidden")
                .returns("", Outcome::out);
        List<String> command = new ArrayList<>(List.of("kubectl", "nodeward"));
        command.addAll(List.of(words));
        return withoutJava(environment, command);
    }

    private Outcome withoutJava(Map<String, String> environment, List<String> words)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("unshare", "--mount"));
        if (!"root".equals(System.getProperty("user.name"))) {
            command.add("--map-root-user");
        }
        Path hidden = JDK.startsWith(JDKS) ? JDKS : JDK;
        command.addAll(List.of("sh", "-c", WITHOUT, hidden.toString()));
        command.addAll(words);
        Path err = Files.createTempFile(directory, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile())
                .directory(Files.createDirectories(directory.resolve("home")).toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("HOME", directory.resolve("home").toString(),
                "PATH", directory.resolve("bin") + ":" + System.getenv("PATH")));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), out, Files.readString(err));
    }
}
