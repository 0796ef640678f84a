package io.nodeward.e2e.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.bench.Main;
import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.report.Report;
import io.nodeward.e2e.controlplane.Kubectl;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The controller in a container of its image. */
@Tag("deep")
class ContainerTest {
    private static UnpackedImage image;

    @TempDir
    private Path directory;

    @BeforeAll
    static void build() throws InterruptedException {
        image = BuiltImage.shared().unpacked();
    }

    @ParameterizedTest
    @ValueSource(strings = {"fabric8", "official"})
    void its_controller_taints_a_node_as_its_user_on_a_root_that_it_cannot_write(String backend) throws Exception {
        try (MachineSuite suite = MachineSuite.in("image-" + backend)) {
            suite.cluster("c");
            String node = "image-" + backend;
            whileItRuns(suite, List.of("--backend=" + backend, "--metrics-address=127.0.0.1:0"), process -> {
                suite.fleet().pair(MachineSpec.named(node, "c")
                        .withTaint("example.com/image", "1", "NoSchedule", "Always"));
                suite.awaitTaints(node, "example.com/image=1:NoSchedule");
                ProcessHandle controller = process.children().findFirst().orElseThrow();
                assertThat(status(controller)).contains("Uid:\t65532\t65532\t65532\t65532",
                        "Gid:\t65532\t65532\t65532\t65532", "Groups:\t ", "CapEff:\t0000000000000000");
                assertThat(controller.destroy()).isTrue();
                assertThat(process.waitFor()).as("SIGTERM ends it").isEqualTo(143);
            });
        }
        assertThatThrownBy(() -> Container.of(image, BuiltImage.tmp())
                .run(List.of("/opt/java/bin/java", "-Xlog:gc:file=/app/log", "-version")))
                .hasMessageContaining("Read-only file system");
    }

    /** Which needs modules of its own, and a place to write. */
    @Test
    void it_makes_a_recording_of_itself() throws Exception {
        try (MachineSuite suite = MachineSuite.in("image-recording")) {
            suite.allow(Path.of("..", "controller", "app", "src", "main", "rbac", "debug.yaml"), "machines");
            Kubectl kubectl = suite.controlPlane().kubectl();
            String namespace = suite.fleet().namespace();
            kubectl.run("create", "serviceaccount", "operator", "-n", namespace).orThrow("create serviceaccount");
            kubectl.run("create", "clusterrolebinding", namespace, "--clusterrole=cluster-admin",
                    "--serviceaccount=" + namespace + ":operator").orThrow("create clusterrolebinding");
            String token = kubectl.run("create", "token", "operator", "-n", namespace).orThrow("create token").out();
            int port = Ports.free();
            HttpRequest request = HttpRequest
                    .newBuilder(URI.create("http://127.0.0.1:" + port + "/debug/recording?seconds=1"))
                    .header("Authorization", "Bearer " + token.strip()).build();
            Path recording = directory.resolve("recording.jfr");
            whileItRuns(suite, List.of("--metrics-address=127.0.0.1:" + port), process -> {
                try (HttpClient http = HttpClient.newHttpClient()) {
                    await("a recording").atMost(MachineSuite.PATIENCE)
                            .ignoreExceptionsInstanceOf(ConnectException.class)
                            .untilAsserted(() -> assertThat(http.send(request, BodyHandlers.ofFile(recording)))
                                    .returns(200, HttpResponse::statusCode));
                }
            });
            assertThat(RecordingFile.readAllEvents(recording)).extracting(event -> event.getEventType().getName())
                    .contains("jdk.ActiveRecording");
        }
    }

    private interface Use {
        void of(Process process) throws Exception;
    }

    private void whileItRuns(MachineSuite suite, List<String> flags, Use use) throws Exception {
        Container.Volume tmp = BuiltImage.tmp();
        Files.copy(suite.managementKubeconfig(), tmp.folder().resolve("kubeconfig"));
        List<String> command = new ArrayList<>(image.entryPoint());
        command.addAll(List.of("--kubeconfig=/tmp/kubeconfig", "--health-address=127.0.0.1:0",
                "--noexecute-nodes-per-minute=0", "--noexecute-unconfirmed-percent=0", "--pause-configmap=",
                "--cluster-servers=127.0.0.1"));
        command.addAll(flags);
        Path log = directory.resolve("controller.log");
        Process process = Container.of(image, tmp).start(command, log);
        try {
            use.of(process);
        } catch (Throwable e) {
            throw new AssertionError(e.getMessage() + "\n" + Files.readString(log), e);
        } finally {
            Container.kill(process);
        }
    }

    private static List<String> status(ProcessHandle process) throws IOException {
        return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"));
    }

    @Test
    void the_bench_measures_it() throws Exception {
        CommandLine bench = new CommandLine(new Main());
        StringWriter said = new StringWriter();
        bench.setOut(new PrintWriter(said));
        assertThat(bench.execute("--image", BuiltImage.shared().output().resolve("nodeward-oci.tar").toString(),
                "--scenario", "scale-1", "--pairs", "1", "--out", directory.toString())).as(said::toString).isZero();
        Report.Earlier report = Report.read(directory);
        assertThat(report.facts()).containsEntry("nodeward-official",
                image.revision() + " (image) --backend=official");
        assertThat(report.samples()).extracting(Sample::contender)
                .containsExactly("nodeward-fabric8", "nodeward-official");
        assertThat(report.samples()).extracting(Sample::figures).allSatisfy(figures -> {
            assertThat(figures).containsEntry("writes", 0.0);
            assertThat(figures.get("first_list_s")).isGreaterThanOrEqualTo(figures.get("ready_s"));
            assertThat(figures.get("rss_mib")).as("a JVM's, not a shell's").isGreaterThan(figures.get("live_heap_mib"));
        });
    }

    @Test
    void its_aot_cache_fits() throws Exception {
        List<String> command = new ArrayList<>(image.entryPoint());
        command.add(1, "-XX:AOTMode=on");
        command.add("--version");
        String version = Shell.run(BuiltImage.launcher(), "--version");
        assertThat(Container.of(image, BuiltImage.tmp()).run(command)).isEqualTo(version);

        Path jar = Files.list(image.root().resolve("app/lib")).findFirst().orElseThrow();
        FileTime time = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.from(Instant.now()));
        try {
            assertThatThrownBy(() -> Container.of(image, BuiltImage.tmp()).run(command))
                    .hasMessageContaining("timestamp has changed");
        } finally {
            Files.setLastModifiedTime(jar, time);
        }
    }
}
