package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole controller, beside another that holds the Lease, or alone. */
class LeaderElectionTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String WEBHOOKS = "validatingwebhookconfigurations";
    private static final String LEADER = "nodeward_leader{lease=\"default/l\"}";
    private static final String HELD = "controller_runtime_reconcile_total{controller=\"machine\",result=\"requeue\"}";
    private static final String OTHER =
            "{'metadata':{'namespace':'default','name':'l'},'spec':{'holderIdentity':'x','leaseDurationSeconds':3600}}";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir
    Path directory;

    private final FakeApiServer management = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("admissionregistration.k8s.io", List.of("v1"), WEBHOOKS, "ValidatingWebhookConfiguration")
                    .clusterScoped().withStatus(false)));
    private final FakeApiServer workload = FakeApiServer.start(Options.defaults());
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeEach
    void populate() throws IOException {
        management.create("namespaces", json("{'metadata':{'name':'nodeward-system'}}"));
        management.create("clusters", json("{'metadata':{'name':'c'},'spec':{}}"));
        ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'name':'c-kubeconfig',"
                + "'labels':{'cluster.x-k8s.io/cluster-name':'c'}},'stringData':{}}");
        ((ObjectNode) secret.at("/stringData")).put("value", workload.kubeconfig());
        management.create("secrets", secret);
        management.create("machines", json("{'metadata':{'name':'m'},'spec':{'clusterName':'c','providerID':'fake://m',"
                + "'taints':[{'key':'k','effect':'NoSchedule','propagation':'Always'}]}}"));
        workload.create("nodes", json("{'metadata':{'name':'m'},'spec':{'providerID':'fake://m'}}"));
    }

    @AfterEach
    void stop() {
        http.close();
        management.close();
        workload.close();
    }

    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    }

    private Nodeward start(String... more) throws IOException {
        return startWithout(Stream.concat(Stream.of("--leader-election", "--leader-election-id=l",
                "--leader-election-namespace=default"), Stream.of(more)).toArray(String[]::new));
    }

    /** Starts without a flag of the election. */
    private Nodeward startWithout(String... more) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig());
        return Nodeward.start(Stream.concat(Stream.of("--kubeconfig=" + kubeconfig, "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0", "--cluster-servers=127.0.0.1"), Stream.of(more))
                .toArray(String[]::new));
    }

    private String get(int port, String path) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    private double metric(Nodeward of, String start) throws Exception {
        return get(of.metricsPort(), "/metrics").lines().filter(line -> line.startsWith(start + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(start.length() + 1))).findFirst().orElse(-1);
    }

    /** The requests to both that change something, besides those of the Lease. */
    private List<Request> writes() {
        return Stream.of(management, workload).flatMap(server -> server.requests().stream())
                .filter(request -> !request.method().equals("GET") && !isOfLease(request)).toList();
    }

    private static boolean isOfLease(Request request) {
        return request.path().contains("/leases");
    }

    private boolean isTainted() {
        return workload.get("nodes", "", "m").orElseThrow().at("/spec/taints").size() == 1;
    }

    private String holder() {
        return management.get("leases", "default", "l").orElseThrow().at("/spec/holderIdentity").asText();
    }

    @Test
    void a_process_that_does_not_lead_is_ready_and_writes_nothing_until_it_leads() throws Exception {
        management.create("leases", json(OTHER));
        try (Nodeward nodeward = start()) {
            await().atMost(PATIENCE).until(() -> metric(nodeward, HELD) > 0);
            await().atMost(PATIENCE).until(() -> get(nodeward.healthPort(), "/readyz").equals("ok\n"));
            assertThat(writes()).isEmpty();
            assertThat(metric(nodeward, LEADER)).isZero();
            assertThat(metric(nodeward, "nodeward_paused")).isZero();

            management.mergePatch("leases", "default", "l", json("{'spec':{'holderIdentity':''}}"));
            await().atMost(PATIENCE).until(this::isTainted);
            assertThat(metric(nodeward, LEADER)).isEqualTo(1);
            assertThat(writes()).hasSize(1);
            assertThat(holder()).isNotEmpty();
        }
        assertThat(holder()).as("given up at the end").isEmpty();
        assertThat(management.requests()).last().as("once nothing else is under way")
                .matches(request -> request.method().equals("PATCH") && isOfLease(request));
    }

    @Test
    void a_process_that_loses_the_lease_writes_nothing_more() throws Exception {
        try (Nodeward nodeward = start()) {
            await().atMost(PATIENCE).until(this::isTainted);
            management.mergePatch("leases", "default", "l", json("{'spec':{'holderIdentity':'x'}}"));
            await().atMost(PATIENCE).until(() -> metric(nodeward, LEADER) == 0);
            double before = metric(nodeward, HELD);
            management.clearRequests();
            workload.clearRequests();
            management.mergePatch("machines", "default", "m", json("{'spec':{'taints':null}}"));
            await().atMost(PATIENCE).until(() -> metric(nodeward, HELD) > before);
            assertThat(writes()).isEmpty();
        }
        assertThat(holder()).as("it is not given up by another").isEqualTo("x");
    }

    /** Its turn came while it did not lead, and the former leader may have used it. */
    @Test
    void a_new_leader_paces_no_execute_as_after_a_start() throws Exception {
        try (Nodeward former = start()) {
            await().atMost(PATIENCE).until(this::isTainted);
        }
        management.mergePatch("leases", "default", "l", json(OTHER));
        management.mergePatch("machines", "default", "m",
                json("{'spec':{'taints':[{'key':'k','effect':'NoExecute','propagation':'Always'}]}}"));
        try (Nodeward nodeward = start("--noexecute-nodes-per-minute=20")) {
            await().atMost(PATIENCE).until(() -> metric(nodeward, HELD) > 0);
            management.mergePatch("leases", "default", "l", json("{'spec':{'holderIdentity':''}}"));
            await().atMost(PATIENCE).until(() -> workload.get("nodes", "", "m").orElseThrow()
                    .at("/spec/taints/0/effect").asText().equals("NoExecute"));
            Instant taken = Instant.parse(
                    management.get("leases", "default", "l").orElseThrow().at("/spec/acquireTime").asText());
            assertThat(Duration.between(taken, Instant.now())).isGreaterThanOrEqualTo(Duration.ofSeconds(3));
        }
    }

    /** A new leader must not write beside it. */
    @Test
    void a_process_that_ends_gives_the_lease_up_when_its_last_write_has_been_answered() throws Exception {
        AtomicBoolean isUnderWay = new AtomicBoolean();
        workload.fault(1, request -> {
            isUnderWay.compareAndSet(false, request.method().equals("PATCH"));
            return isUnderWay.get();
        }, new Fault.Delay(Duration.ofSeconds(3)));
        Nodeward nodeward = start();
        await().atMost(PATIENCE).untilTrue(isUnderWay);
        AtomicBoolean isEarly = new AtomicBoolean();
        management.fault(1_000, request -> {
            isEarly.compareAndSet(false, isRelease(request) && !isTainted());
            return false;
        }, new Fault.Delay(Duration.ZERO));
        nodeward.close();
        assertThat(isTainted()).isTrue();
        assertThat(isEarly).isFalse();
        assertThat(holder()).isEmpty();
        assertThat(management.requests()).last().matches(LeaderElectionTest::isRelease);
    }

    private static boolean isRelease(Request request) {
        return request.method().equals("PATCH") && isOfLease(request)
                && request.body().contains("\"holderIdentity\":\"\"");
    }

    /** As in a rollout that turns the webhook on: the leader that runs does not have it. */
    @Test
    void a_process_that_does_not_lead_serves_a_webhook_that_the_leader_does_not_know() throws Exception {
        management.create("leases", json(OTHER));
        try (Nodeward nodeward = start("--feature-gates=MachineTaintAdmission=true",
                "--admission-address=127.0.0.1:0", "--admission-service=https://127.0.0.1:9443")) {
            await().atMost(PATIENCE).until(() -> get(nodeward.healthPort(), "/readyz").equals("ok\n"));
            assertThat(writes()).extracting(Request::path)
                    .containsExactly("/api/v1/namespaces/nodeward-system/secrets");
            assertThat(management.list(WEBHOOKS)).isEmpty();

            management.mergePatch("leases", "default", "l", json("{'spec':{'holderIdentity':''}}"));
            await().atMost(PATIENCE).until(() -> !management.list(WEBHOOKS).isEmpty());
        }
    }

    @Test
    void a_process_without_the_flag_asks_for_no_lease() throws Exception {
        try (Nodeward nodeward = startWithout()) {
            await().atMost(PATIENCE).until(this::isTainted);
            assertThat(metric(nodeward, LEADER)).as("there is no such metric").isEqualTo(-1);
        }
        assertThat(management.requests()).noneMatch(LeaderElectionTest::isOfLease);
    }

    @Test
    void a_dry_run_asks_for_no_lease() throws Exception {
        try (Nodeward nodeward = start("--dry-run")) {
            await().atMost(PATIENCE)
                    .until(() -> metric(nodeward, "nodeward_node_writes_total{result=\"dry_run\"}") > 0);
            assertThat(metric(nodeward, LEADER)).as("there is no such metric").isEqualTo(-1);
        }
        assertThat(management.requests()).noneMatch(LeaderElectionTest::isOfLease);
    }
}
