package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code --dry-run} reaches all that could write: who tries Nodeward on a fleet changes nothing there. */
class DryRunTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path directory;

    @Test
    void a_dry_run_counts_what_it_would_write_and_only_reads() throws Exception {
        try (FakeApiServer management = FakeApiServer.start(Options.defaults());
                FakeApiServer workload = FakeApiServer.start(Options.defaults())) {
            populate(management, workload);
            Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig());
            try (Nodeward nodeward = Nodeward.start("--kubeconfig=" + kubeconfig, "--dry-run",
                    "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--cluster-servers=127.0.0.1");
                    HttpClient http = HttpClient.newHttpClient()) {
                await().atMost(Duration.ofMinutes(1)).until(() -> !isRead(workload) || metrics(http, nodeward).lines()
                        .anyMatch(line -> line.matches("nodeward_node_writes_total.*\"dry_run\".* [1-9].*")));
            }
            assertThat(workload.requests()).isNotEmpty();
            assertThat(isRead(workload)).isTrue();
            assertThat(isRead(management)).isTrue();
        }
    }

    /** Whether nothing else was done with it. */
    private static boolean isRead(FakeApiServer server) {
        return server.requests().stream().allMatch(request -> request.method().equals("GET"));
    }

    private static String metrics(HttpClient http, Nodeward of) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + of.metricsPort() + "/metrics");
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    private static void populate(FakeApiServer management, FakeApiServer workload) throws IOException {
        management.create("clusters", json("{'metadata':{'name':'c'},'spec':{}}"));
        ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'name':'c-kubeconfig',"
                + "'labels':{'cluster.x-k8s.io/cluster-name':'c'}},'stringData':{}}");
        ((ObjectNode) secret.at("/stringData")).put("value", workload.kubeconfig());
        management.create("secrets", secret);
        management.create("machines", json("{'metadata':{'name':'m'},'spec':{'clusterName':'c','providerID':'fake://m',"
                + "'taints':[{'key':'k','effect':'NoSchedule','propagation':'Always'}]}}"));
        workload.create("nodes", json("{'metadata':{'name':'m'},'spec':{'providerID':'fake://m'}}"));
    }

    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    }
}
