package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The whole controller, against servers that ask for a token. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RunningTest {
    private static final String TOKEN = "a-token-nobody-may-see";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @TempDir
    Path directory;

    private final FakeApiServer management = FakeApiServer.start(Options.defaults().withToken(TOKEN));
    private final FakeApiServer workload = FakeApiServer.start(Options.defaults().withToken(TOKEN));
    private final HttpClient http = HttpClient.newHttpClient();
    private Path kubeconfig;
    private Nodeward nodeward;

    @BeforeAll
    static void waitLong() {
        Awaitility.setDefaultTimeout(Duration.ofMinutes(2)); // a net only
    }

    @BeforeEach
    void populate() throws IOException {
        kubeconfig = Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig());
        cluster("c", workload.kubeconfig());
        machine("m", "c");
        workload.create("nodes", json("{'metadata':{'name':'m'},'spec':{'providerID':'fake://m'}}"));
    }

    @AfterEach
    void stop() {
        if (nodeward != null) {
            nodeward.close();
        }
        management.close();
        workload.close();
        http.close();
    }

    private void start(String... more) throws IOException {
        List<String> args = new ArrayList<>(List.of(more));
        args.addAll(List.of("--kubeconfig=" + kubeconfig, "--cluster-servers=127.0.0.1"));
        if (more.length < 2) {
            args.addAll(List.of("--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0"));
        }
        nodeward = Nodeward.start(args.toArray(String[]::new));
    }

    private void cluster(String name, String workloadKubeconfig) throws IOException {
        management.create("clusters", json("{'metadata':{'name':'" + name + "'},'spec':{}}"));
        ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'name':'" + name
                + "-kubeconfig','labels':{'cluster.x-k8s.io/cluster-name':'" + name + "'}},'stringData':{}}");
        ((ObjectNode) secret.at("/stringData")).put("value", workloadKubeconfig);
        management.create("secrets", secret);
    }

    private void machine(String name, String cluster) throws IOException {
        management.create("machines", json("{'metadata':{'name':'" + name + "'},'spec':{'clusterName':'" + cluster
                + "','providerID':'fake://" + name
                + "','taints':[{'key':'k','effect':'NoSchedule','propagation':'Always'}]}}"));
    }

    private static ObjectNode json(String text) throws IOException {
        return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
    }

    private void awaitTainted() {
        await()
                .until(() -> workload.get("nodes", "", "m").orElseThrow().at("/spec/taints").size() == 1);
    }

    private HttpResponse<String> get(int port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void it_is_healthy_at_once_and_ready_when_the_management_cluster_has_been_seen() throws Exception {
        management.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "starting"));
        start();
        assertThat(get(nodeward.healthPort(), "/healthz").statusCode()).isEqualTo(200);
        HttpResponse<String> early = get(nodeward.healthPort(), "/readyz");
        assertThat(early.statusCode()).isEqualTo(503);
        assertThat(early.body()).contains("management cluster");
        management.clearFaults();

        await().until(() -> get(nodeward.healthPort(), "/readyz").statusCode() == 200);
        assertThat(get(nodeward.healthPort(), "/nothing").statusCode()).isEqualTo(404);
        assertThat(get(nodeward.metricsPort(), "/healthz").statusCode()).isEqualTo(404);
    }

    @Test
    void while_it_is_not_ready_it_names_the_namespaces_that_have_not_been_seen() throws Exception {
        management.fault(1_000_000, r -> r.path().contains("/namespaces/b/"),
                Fault.status(403, "Forbidden", "of the test"));
        start("--namespaces=c,b,a");
        await().untilAsserted(() -> assertThat(get(nodeward.healthPort(), "/readyz"))
                .returns(503, HttpResponse::statusCode).extracting(HttpResponse::body).asString()
                .matches("[a-z]+ of the management cluster have not been seen yet in b\n"));
        management.clearFaults();
        await().until(() -> get(nodeward.healthPort(), "/readyz").statusCode() == 200);

        nodeward.close();
        management.fault(1_000_000, r -> r.path().matches(".*/namespaces/[abc]/.*"),
                Fault.status(403, "Forbidden", "of the test"));
        start("--namespaces=c,b,a");
        await().untilAsserted(() -> assertThat(get(nodeward.healthPort(), "/readyz").body())
                .matches("[a-z]+ of the management cluster have not been seen yet in a, b, c\n"));
    }

    @Test
    void a_workload_cluster_that_is_away_leaves_it_ready() throws Exception {
        workload.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "away"));
        start();

        await().until(() -> get(nodeward.healthPort(), "/readyz").statusCode() == 200);
        await().until(() -> !workload.requests().isEmpty());
        assertThat(get(nodeward.healthPort(), "/readyz").statusCode()).isEqualTo(200);
    }

    @Test
    void one_port_serves_health_and_metrics() throws Exception {
        int port;
        try (ServerSocket probe = new ServerSocket(0)) {
            port = probe.getLocalPort();
        }
        start("--health-address=127.0.0.1:" + port, "--metrics-address=127.0.0.1:" + port);

        assertThat(get(port, "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(port, "/metrics").statusCode()).isEqualTo(200);
    }

    @Test
    void metrics_have_the_names_types_and_labels_that_dashboards_ask_for() throws Exception {
        start();
        awaitTainted();
        await().until(() -> get(nodeward.metricsPort(), "/metrics").body()
                .contains("nodeward_node_writes_total{result=\"written\"} 1.0")); // counted once it is answered
        HttpResponse<String> answer = get(nodeward.metricsPort(), "/metrics");
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("text/plain; version=0.0.4"));
        String metrics = answer.body();

        for (String counter : List.of(
                "controller_runtime_reconcile_total", "controller_runtime_reconcile_errors_total",
                "controller_runtime_terminal_reconcile_errors_total", "controller_runtime_reconcile_panics_total",
                "workqueue_adds_total", "workqueue_retries_total", "rest_client_requests_total",
                "nodeward_node_writes_total")) {
            assertThat(metrics).contains("# TYPE " + counter + " counter\n");
        }
        for (String gauge : List.of(
                "controller_runtime_active_workers", "controller_runtime_max_concurrent_reconciles", "workqueue_depth",
                "workqueue_unfinished_work_seconds", "workqueue_longest_running_processor_seconds",
                "nodeward_clusters_connected", "nodeward_nodes", "kubernetes_feature_enabled")) {
            assertThat(metrics).contains("# TYPE " + gauge + " gauge\n");
        }
        for (String histogram : List.of(
                "controller_runtime_reconcile_time_seconds", "workqueue_queue_duration_seconds",
                "workqueue_work_duration_seconds", "rest_client_request_duration_seconds")) {
            assertThat(metrics).contains("# TYPE " + histogram + " histogram\n").contains(histogram + "_sum{",
                    histogram + "_count{");
            assertThat(metrics).containsPattern(histogram + "_bucket\\{[^}]*le=\"\\+Inf\"");
        }
        assertThat(metrics)
                .contains("controller_runtime_reconcile_total{controller=\"machine\",result=\"error\"} 0.0")
                .contains("controller_runtime_reconcile_total{controller=\"machine\",result=\"requeue_after\"} 0.0")
                .contains("controller_runtime_max_concurrent_reconciles{controller=\"machine\"} 48.0")
                .contains("workqueue_depth{name=\"machine\"} 0.0")
                .contains("rest_client_requests_total{code=\"200\",host=\"workload\",method=\"PATCH\"} 1.0")
                .contains("nodeward_node_writes_total{result=\"written\"} 1.0")
                .contains("nodeward_clusters_connected 1.0", "nodeward_nodes 1.0")
                .contains("kubernetes_feature_enabled{name=\"MachineTaintPropagation\",stage=\"BETA\"} 1.0");
    }

    @Test
    void a_gate_that_is_off_leaves_taints_alone_and_is_shown() throws Exception {
        start("--feature-gates=MachineTaintPropagation=false");
        management.mergePatch("machines", "default", "m",
                json("{'metadata':{'labels':{'node-role.kubernetes.io/x':''}}}"));
        await().until(() -> workload.get("nodes", "", "m").orElseThrow().at("/metadata/labels")
                .has("node-role.kubernetes.io/x"));

        assertThat(workload.get("nodes", "", "m").orElseThrow().at("/spec").has("taints")).isFalse();
        assertThat(get(nodeward.metricsPort(), "/metrics").body())
                .contains("kubernetes_feature_enabled{name=\"MachineTaintPropagation\",stage=\"BETA\"} 0.0");
    }

    /** Everything that goes wrong, at the most talkative level of every logger there is. */
    @Test
    void no_log_line_and_no_text_shows_a_token() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        Level before = root.getLevel();
        Lines lines = new Lines();
        lines.start();
        root.addAppender(lines);
        root.setLevel(Level.TRACE);
        try {
            cluster("exec", workload.kubeconfig().replace("{token:", "{exec: {command: sh}, token:"));
            cluster("yaml", workload.kubeconfig() + "\n : {" + TOKEN);
            cluster("control", workload.kubeconfig().replace(TOKEN, TOKEN + "\\u0001"));
            cluster("away", workload.kubeconfig().replace(workload.url(), "http://127.0.0.1:1"));
            cluster("wrong", workload.kubeconfig().replace(TOKEN, TOKEN + "-of-another"));
            workload.fault(1, r -> true, new Fault.Cut(-1));
            workload.fault(1, r -> r.method().equals("PATCH"), Fault.status(500, "InternalError", "of the test"));
            workload.fault(1, r -> r.method().equals("PATCH"), Fault.status(422, "Invalid", "of the test"));
            start();
            await()
                    .until(() -> lines.list.stream().anyMatch(l -> l.getFormattedMessage().contains("was refused")));
            management.mergePatch("machines", "default", "m",
                    json("{'metadata':{'labels':{'node-role.kubernetes.io/x':''}}}"));
            awaitTainted();
            await().until(() -> management.list("events").size() >= 4);
            nodeward.close();
        } finally {
            root.setLevel(before);
            root.detachAppender(lines);
        }

        assertThat(List.copyOf(lines.list)).hasSizeGreaterThan(10).extracting(RunningTest::whole)
                .noneMatch(l -> l.contains(TOKEN));
        assertThat(management.list("events").toString()).contains("KubeconfigRefused").doesNotContain(TOKEN);
        RuntimeConfig config = new RuntimeConfig(
                new Fabric8Backend(), management.kubeconfig(), Optional.of(kubeconfig), ClusterSettings.DEFAULT, "",
                List.of(""),
                false, Optional.empty(), Optional.empty(), "test");
        ClusterAccess access = new ClusterAccess(management.kubeconfig(), Optional.empty(), "test");
        try (Transport transport = config.backend().connect(access)) {
            assertThat(
                    List.of(config, access, transport, Kubeconfigs.find(kubeconfig, Map.of(), Path.of("/"))).toString())
                    .doesNotContain(TOKEN);
        }
    }

    /** Keeps lines while they are read. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<ILoggingEvent> list = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent line) {
            line.prepareForDeferredProcessing();
            list.add(line);
        }
    }

    private static String whole(ILoggingEvent line) {
        return line.getFormattedMessage() + line.getKeyValuePairs() + line.getMDCPropertyMap()
                + (line.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(line.getThrowableProxy()));
    }
}
