package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretToConnectionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey CLUSTER = new ObjectKey("default", "a");

    private final List<ClusterAccess> accesses = new CopyOnWriteArrayList<>();
    private final FakeApiServer server = FakeApiServer.start(Options.defaults());
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Timers timers = new Timers();
    private final ConnectionFactory connections =
            new ConnectionFactory(new Recording(accesses),
                    ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)), timers, registry,
                    "test",
                    WritePause.NEVER, Leadership.UNCONTESTED);
    private final ManagementCluster management =
            new ManagementCluster(connections.management(server.kubeconfig(), Optional.of(Path.of("k"))), "", timers);
    private final EventRecorder warnings =
            new EventRecorder(management.server(), InstantSource.system(), timers, true, registry);
    private final Conditions conditions =
            new Conditions(management.server(), Duration.ofSeconds(30), InstantSource.system(), System::nanoTime, true);
    private final ClusterCache clusters =
            new ClusterCache(management, connections, warnings, conditions, timers, registry);

    @BeforeEach
    void start() throws IOException {
        server.create("clusters", json("""
                {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster",
                 "metadata": {"namespace": "default", "name": "a"}}"""));
        management.watchConnections(); // as for a controller that watches Nodes
        management.whenSynced(clusters::start);
        management.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        clusters.close();
        warnings.close();
        management.close();
        timers.close();
        server.close();
    }

    @Test
    void the_backend_gets_what_was_checked_and_nothing_else_of_the_secrets_text() throws IOException {
        secret(good() + "# a comment\nunknown: {exec: {command: sh}}\n");
        await().atMost(PATIENCE).until(() -> clusters.find(CLUSTER).isPresent());
        assertThat(workloads()).singleElement().satisfies(access -> {
            assertThat(access.file()).isEmpty();
            assertThat(access.kubeconfig()).contains(server.url()).doesNotContain("comment", "unknown", "exec");
        });
    }

    @Test
    void a_secret_that_says_the_same_in_other_words_keeps_the_connection() throws IOException {
        secret(good());
        await().atMost(PATIENCE).until(() -> clusters.find(CLUSTER).isPresent());
        server.clearRequests();
        change("# the same\n" + good());
        await().atMost(PATIENCE).until(() -> server.requests().stream()
                .anyMatch(
                        request -> request.method().equals("GET") && request.path().endsWith("/secrets/a-kubeconfig")));
        change("no mapping"); // once this is known, the one before has been judged
        await().atMost(PATIENCE).until(() -> server.list("events").size() == 1);
        assertThat(workloads()).hasSize(1);
    }

    @Test
    void a_second_user_of_the_name_runs_no_program_and_is_named_on_the_cluster(@TempDir Path folder)
            throws IOException {
        Path ran = folder.resolve("ran");
        secret(good().replace("user: {}}", """
                user: {}}, {name: nodeward, user: {exec: {apiVersion: client.authentication.k8s.io/v1,
                  interactiveMode: Never, command: touch, args: ["%s"]}}}""".formatted(ran)));
        await().atMost(PATIENCE).until(() -> server.list("events").size() == 1);
        JsonNode event = server.list("events").getFirst();
        assertThat(event.toString()).contains("KubeconfigRefused", "users has two entries of one name");
        assertThat(workloads()).isEmpty();
        assertThat(ran).doesNotExist();
    }

    private String good() {
        return """
                clusters: [{name: nodeward, cluster: {server: "%s"}}]
                users: [{name: nodeward, user: {}}]
                contexts: [{name: nodeward, context: {cluster: nodeward, user: nodeward}}]
                current-context: nodeward
                """.formatted(server.url());
    }

    private List<ClusterAccess> workloads() {
        return accesses.stream().filter(access -> access.file().isEmpty()).toList();
    }

    private void secret(String kubeconfig) throws IOException {
        server.create("secrets", json("""
                {"apiVersion": "v1", "kind": "Secret", "type": "cluster.x-k8s.io/secret",
                 "metadata": {"namespace": "default", "name": "a-kubeconfig",
                              "labels": {"cluster.x-k8s.io/cluster-name": "a"}},
                 "data": {"value": "%s"}}""".formatted(base64(kubeconfig))));
    }

    private void change(String kubeconfig) throws IOException {
        server.mergePatch(
                "secrets", "default", "a-kubeconfig", json("{\"data\": {\"value\": \"" + base64(kubeconfig) + "\"}}"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text);
    }

    /** The real backend, and what it was given. */
    private record Recording(List<ClusterAccess> accesses) implements Backend {
        @Override
        public String name() {
            return "recording";
        }

        @Override
        public Transport connect(ClusterAccess access) {
            accesses.add(access);
            return new Fabric8Backend().connect(access);
        }
    }
}
