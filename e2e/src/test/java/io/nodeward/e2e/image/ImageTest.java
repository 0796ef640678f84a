package io.nodeward.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The controller's image, which {@code ./nodeward image} builds of this build's jars. */
@Tag("deep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ImageTest {
    private static final Map<String, String> BUILT = Map.of("NODEWARD_NO_BUILD", "yes");
    private static final long MEGABYTE = 1_000_000;

    private Path directory;
    private Path output;
    private UnpackedImage image;

    @BeforeAll
    void build(@TempDir Path files) throws IOException, InterruptedException {
        assertThat(System.getProperty("user.name")).as("only root may give a process a root and a user of its own")
                .isEqualTo("root");
        for (String program : List.of("unshare", "mount", "chroot", "ldd", "dpkg-query")) {
            Shell.run("sh", "-c", "command -v " + program
                    + " || { echo 'apt-get install util-linux coreutils libc-bin dpkg'; exit 1; }");
        }
        directory = files;
        output = directory.resolve("output");
        Shell.run(BUILT, launcher(), "image", "--output", output.toString());
        image = UnpackedImage.of(archive(output), Files.createDirectory(directory.resolve("image")));
    }

    @Test
    void its_controller_taints_a_node_as_its_user_on_a_root_that_it_cannot_write() throws Exception {
        try (MachineSuite suite = MachineSuite.in("image")) {
            suite.cluster("c");
            List<String> command = new ArrayList<>(image.entryPoint());
            command.addAll(List.of("--kubeconfig=/tmp/kubeconfig", "--health-address=127.0.0.1:0",
                    "--metrics-address=127.0.0.1:0", "--noexecute-nodes-per-minute=0",
                    "--noexecute-unconfirmed-percent=0", "--pause-configmap="));
            Path log = directory.resolve("controller.log");
            Process process = image.start(suite.managementKubeconfig(), command, log);
            try {
                suite.fleet().pair(MachineSpec.named("image-node", "c")
                        .withTaint("example.com/image", "1", "NoSchedule", "Always"));
                suite.awaitTaints("image-node", "example.com/image=1:NoSchedule");
                ProcessHandle controller = process.children().findFirst().orElseThrow();
                assertThat(status(controller)).contains("Uid:\t65532\t65532\t65532\t65532",
                        "Gid:\t65532\t65532\t65532\t65532", "Groups:\t ");
                assertThat(controller.destroy()).isTrue();
                assertThat(process.waitFor()).as("SIGTERM ends it").isEqualTo(143);
            } catch (Throwable e) {
                e.addSuppressed(new AssertionError(Files.readString(log)));
                throw e;
            } finally {
                process.destroyForcibly();
            }
        }
        assertThatThrownBy(() -> image.run(List.of("/opt/java/bin/java", "-Xlog:gc:file=/app/log", "-version")))
                .hasMessageContaining("Read-only file system");
    }

    private static List<String> status(ProcessHandle process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"));
    }

    @Test
    void its_aot_cache_fits() throws Exception {
        List<String> command = new ArrayList<>(image.entryPoint());
        command.add(1, "-XX:AOTMode=on");
        command.add("--version");
        String version = Shell.run(BUILT, launcher(), "--version");
        assertThat(image.run(command)).isEqualTo(version);

        Path jar = Files.list(image.root().resolve("app/lib")).findFirst().orElseThrow();
        FileTime time = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now()));
        try {
            assertThatThrownBy(() -> image.run(command)).hasMessageContaining("timestamp has changed");
        } finally {
            Files.setLastModifiedTime(jar, time);
        }
    }

    @Test
    void it_has_the_modules_that_the_controller_needs_and_no_shell() throws Exception {
        String modules = image.run(List.of("/opt/java/bin/java", "--list-modules"));
        assertThat(modules.lines().map(module -> module.replaceFirst("@.*", ""))).containsExactlyInAnyOrder("java.base",
                "java.logging", "java.management", "java.naming", "java.net.http", "java.security.sasl", "java.xml",
                "jdk.httpserver", "jdk.jfr", "jdk.management", "jdk.unsupported");
        try (Stream<Path> files = Files.walk(image.root())) {
            assertThat(files.filter(Files::isRegularFile).filter(Files::isExecutable)
                    .map(file -> image.root().relativize(file).toString())
                    .filter(file -> !file.contains(".so"))).containsExactlyInAnyOrder(
                            "opt/java/bin/java", "opt/java/lib/jexec", "opt/java/lib/jspawnhelper");
        }
    }

    @Test
    void it_says_what_it_is_made_of() throws Exception {
        assertThat(image.config().path("Labels")).isEqualTo(Json.parse("""
                {"org.opencontainers.image.title": "nodeward",
                 "org.opencontainers.image.description":
                   "Propagates taints and labels from Cluster API objects to Nodes",
                 "org.opencontainers.image.version": "%s",
                 "org.opencontainers.image.revision": "%s",
                 "org.opencontainers.image.created": "%s",
                 "org.opencontainers.image.licenses": "Apache-2.0"}""".formatted(
                Shell.run(BUILT, launcher(), "--version").split("\\s")[1],
                Shell.run("git", "-C", Shell.root().toString(), "describe", "--always", "--dirty", "--abbrev=40",
                        "--exclude=*").strip(),
                image.created().asText())));
        JsonNode sbom = Json.parse(Files.readString(output.resolve("nodeward.cdx.json")));
        assertThat(image.root().resolve("usr/share/sbom/nodeward.cdx.json"))
                .hasSameTextualContentAs(output.resolve("nodeward.cdx.json"));
        List<String> components = sbom.path("components").findValuesAsText("purl");
        try (Stream<Path> jars = Files.list(image.root().resolve("app/lib"))) {
            assertThat(components).filteredOn(purl -> purl.startsWith("pkg:maven/")).hasSize((int) jars.count())
                    .anyMatch(purl -> purl.matches("pkg:maven/com.google.guava/guava@\\d.*\\?type=jar"));
        }
        assertThat(components).anyMatch(purl -> purl.startsWith("pkg:generic/openjdk@25"))
                .anyMatch(purl -> purl.startsWith("pkg:deb/debian/libc6@"));
        assertThat(image.root().resolve("var/lib/dpkg/status.d/libc6")).content().startsWith("Package: libc6\n");
    }

    @Test
    void it_is_small_and_all_but_the_cache_is_the_same_each_time() throws Exception {
        assertThat(archive(output)).satisfies(file -> assertThat(Files.size(file)).isLessThan(100 * MEGABYTE));
        assertThat(Files.size(output.resolve("nodeward-docker.tar"))).isLessThan(100 * MEGABYTE);
        Path again = directory.resolve("again");
        Shell.run(BUILT, "sh", "-c", "umask 077; exec \"$@\"", "sh", launcher(), "image", "--no-aot", "--output",
                again.toString());
        UnpackedImage other = UnpackedImage.of(archive(again), Files.createDirectory(directory.resolve("other")));
        assertThat(image.layers()).hasSize(4).startsWith(other.layers().toArray(String[]::new));
        assertThat(other.layers()).hasSize(3);
        List<String> entryPoint = new ArrayList<>(image.entryPoint());
        assertThat(entryPoint.remove("-XX:AOTCache=/app/controller.aot")).isTrue();
        assertThat(other.entryPoint()).isEqualTo(entryPoint);
        assertThat(other.created()).isEqualTo(image.created());
        assertThat(again.resolve("nodeward.cdx.json"))
                .hasSameBinaryContentAs(output.resolve("nodeward.cdx.json"));
    }

    private static Path archive(Path output) {
        return output.resolve("nodeward-oci.tar");
    }

    private static String launcher() {
        return Shell.root().resolve("nodeward").toString();
    }
}
