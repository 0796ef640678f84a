package io.nodeward.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The controller's image for arm64, which this machine emulates. */
@Tag("deep")
class ForeignImageTest {
    private static final String QEMU = "qemu-aarch64-static";
    /** An emulated JVM without an AOT cache takes long to start. */
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @TempDir
    private static Path built;

    private static BuiltImage image;

    @TempDir
    private Path directory;

    @BeforeAll
    static void build() throws IOException, InterruptedException {
        BuiltImage.require(QEMU, "qemu-user-static");
        BuiltImage.require("readelf", "binutils");
        image = BuiltImage.build(built, "077", Map.of(), "--arch", "arm64");
    }

    @Test
    void all_of_it_is_for_arm64() throws Exception {
        UnpackedImage unpacked = image.unpacked();
        assertThat(unpacked.architecture()).isEqualTo("arm64");
        assertThat(unpacked.layers()).hasSize(3);
        assertThat(unpacked.entryPoint()).containsExactly("/opt/java/bin/java", "@/app/options",
                "io.nodeward.controller.app.Main");
        assertThat(unpacked.config().path("User").asText()).isEqualTo("65532:65532");
        String machines =
                Shell.run("sh", "-c", "find \"$0\" -type f | xargs -n1 readelf -h 2>/dev/null | grep Machine:",
                        unpacked.root().toString());
        assertThat(machines.lines().map(String::strip).distinct()).containsExactly(
                "Machine:                           AArch64");
        try (Stream<Path> files = Files.walk(unpacked.root().resolve("opt/java"))) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".debuginfo"));
        }
        for (String archive : List.of("nodeward-oci-arm64.tar", "nodeward-docker-arm64.tar")) {
            assertThat(Files.size(image.output().resolve(archive))).isPositive().isLessThan(100_000_000);
        }
    }

    @Test
    void it_says_of_which_packages_it_is_made() throws Exception {
        JsonNode sbom = Json.parse(Files.readString(image.output().resolve("nodeward-arm64.cdx.json")));
        List<String> packages = sbom.path("components").findValuesAsText("purl").stream()
                .filter(purl -> purl.startsWith("pkg:deb/"))
                .map(purl -> purl.replaceFirst("^pkg:deb/debian/([^@]+)@[^?]+[?](.*)$", "$1 $2")).toList();
        String of = " arch=arm64&distro=debian-13";
        assertThat(packages).containsExactly("base-files" + of, "ca-certificates arch=all&distro=debian-13",
                "libc6" + of, "libgcc-s1" + of, "libstdc++6" + of, "openjdk-25-jdk-headless" + of, "zlib1g" + of);
        Path root = image.unpacked().root();
        assertThat(root.resolve("usr/share/sbom/nodeward.cdx.json"))
                .hasSameTextualContentAs(image.output().resolve("nodeward-arm64.cdx.json"));
        assertThat(root.resolve("var/lib/dpkg/status.d/libc6")).content()
                .startsWith("Package: libc6\n").contains("\nArchitecture: arm64\n");
        assertThat(root.resolve("etc/os-release")).content().contains("VERSION_ID=\"13\"");
    }

    @Test
    void its_controller_taints_a_node_as_its_user_on_a_root_that_it_cannot_write() throws Exception {
        try (MachineSuite suite = MachineSuite.in("image-arm64")) {
            suite.cluster("c");
            Container.Volume tmp = BuiltImage.tmp();
            Files.copy(suite.managementKubeconfig(), tmp.folder().resolve("kubeconfig"));
            Files.copy(Path.of(Shell.run("sh", "-c", "command -v " + QEMU).strip()), tmp.folder().resolve("qemu"));
            int port = Ports.free();
            List<String> command = new ArrayList<>(List.of("/tmp/qemu"));
            command.addAll(image.unpacked().entryPoint());
            command.addAll(List.of("--kubeconfig=/tmp/kubeconfig", "--health-address=127.0.0.1:" + port,
                    "--metrics-address=127.0.0.1:0", "--noexecute-nodes-per-minute=0",
                    "--noexecute-unconfirmed-percent=0", "--pause-configmap=", "--cluster-servers=127.0.0.1"));
            Path log = directory.resolve("controller.log");
            Process process = Container.of(image.unpacked(), tmp).start(command, log);
            try {
                awaitReady(port, process);
                suite.fleet().pair(MachineSpec.named("arm64", "c")
                        .withTaint("example.com/image", "1", "NoSchedule", "Always"));
                suite.awaitTaints("arm64", "example.com/image=1:NoSchedule");
            } catch (Throwable e) {
                throw new AssertionError(e.getMessage() + "\n" + Files.readString(log), e);
            } finally {
                Container.kill(process);
            }
        }
    }

    private static void awaitReady(int port, Process process) {
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build();
        try (HttpClient http = HttpClient.newHttpClient()) {
            await("the controller").atMost(PATIENCE).failFast("it has ended", () -> !process.isAlive())
                    .ignoreExceptionsInstanceOf(ConnectException.class)
                    .untilAsserted(() -> assertThat(http.send(ready, BodyHandlers.ofString()))
                            .returns(200, HttpResponse::statusCode));
        }
    }
}
