package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process as it is started in the image, in a JVM of its own. */
class TerminationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int SIGTERM = 15;

    @TempDir
    Path directory;

    /** Without that, another process would wait until the Lease has not changed for 15 s. */
    @Test
    void a_process_that_is_told_to_end_gives_the_lease_up_before_it_ends() throws Exception {
        try (FakeApiServer management = FakeApiServer.start(Options.defaults())) {
            Path log = directory.resolve("log");
            Process process = new ProcessBuilder(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                    "-cp", System.getProperty("java.class.path"), Main.class.getName(),
                    "--kubeconfig=" + Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig()),
                    "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--leader-election",
                    "--leader-election-id=l", "--leader-election-namespace=default")
                    .redirectErrorStream(true).redirectOutput(log.toFile()).start();
            try {
                await().atMost(PATIENCE).until(() -> !holder(management).isEmpty());
                process.destroy();
                assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
            assertThat(process.exitValue()).as(Files.readString(log)).isEqualTo(128 + SIGTERM);
            assertThat(holder(management)).as(Files.readString(log)).isEmpty();
            assertThat(management.requests()).last().extracting(Request::method).isEqualTo("PATCH");
        }
    }

    private static String holder(FakeApiServer management) {
        return management.get("leases", "default", "l").map(lease -> lease.at("/spec/holderIdentity").asText())
                .orElse("");
    }
}
