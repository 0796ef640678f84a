package io.nodeward.e2e.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person does with kubectl, on both servers: the fake must say what the real one says. */
class KubectlCheckTest {
    private static final Path SCRIPT =
            Path.of("..", "core", "fakeapi", "src", "test", "scripts", "kubectl-check.sh");

    @TempDir
    Path directory;

    @Test
    void kubectl_works_on_the_fake_server() throws Exception {
        try (FakeApiServer server = FakeApiServer.start(Options.defaults())) {
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), server.kubeconfig());
            assertPasses(kubeconfig);
        }
    }

    @Tag("deep")
    @Test
    void kubectl_works_the_same_on_the_real_server() throws Exception {
        ControlPlane controlPlane = ControlPlane.shared();
        ClusterApiCrds.install(controlPlane.admin());
        assertPasses(controlPlane.file(controlPlane.adminKubeconfig()));
    }

    private static void assertPasses(Path kubeconfig) throws IOException, InterruptedException {
        Path kubectl = ControlPlane.shared().binaries().path(Component.KUBECTL);
        Process process = new ProcessBuilder("bash", SCRIPT.toString(), kubectl.toString(), kubeconfig.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).contains("ok      kubectl get").doesNotContain("FAILED");
    }
}
