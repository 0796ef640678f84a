package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What runs with {@code --controllers}. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class SelectedControllersTest {
    @TempDir
    Path directory;

    private final FakeApiServer management = FakeApiServer.start(Options.defaults()
            .withKind(Kind.custom("cluster.x-k8s.io", List.of("v1beta2"), "clusterclasses", "ClusterClass"))
            .withKind(Kind.custom("nodeward.io", List.of("v1alpha1"), "devicetaintrules", "DeviceTaintRule")
                    .clusterScoped().withStatus(true)));
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(Nodeward.class);
    private final Level before = log.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line.getFormattedMessage());
        }
    };

    @BeforeEach
    void populate() throws Exception {
        JsonNode cluster = new ObjectMapper()
                .readTree("{\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"},\"spec\":{}}");
        management.create("clusters.cluster.x-k8s.io", cluster);
        appender.start();
        log.addAppender(appender);
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        log.detachAppender(appender);
        log.setLevel(before);
        management.close();
    }

    @Test
    void all_whose_gates_are_on_run_and_what_is_off_cleans_up() throws Exception {
        assertThat(metrics()).contains(of("machine"), of("topology-cleanup"), of("admission-cleanup"))
                .doesNotContain(of("machinepool"), of("autoscaler"), of("topology"), of("admission"));
        assertThat(lines).contains(
                "controllers: [admission-cleanup, dedicated-cleanup, devices-cleanup, devices-idle, guard-cleanup,"
                        + " machine, machine-owners, topology-cleanup]");
    }

    @Test
    void conditions_of_an_earlier_process_go_to_unknown_where_a_gate_is_off() throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        management.create("devicetaintrules.nodeward.io", mapper.readTree(
                "{\"metadata\":{\"name\":\"r\"},\"spec\":{\"taint\":{\"key\":\"k\",\"effect\":\"NoExecute\"}}}"));
        management.mergePatch("devicetaintrules.nodeward.io", "", "r", mapper.valueToTree(Map.of("status",
                Map.of("conditions", Stream.of("Ready", "SchedulingEnforced", "EvictionInProgress")
                        .map(type -> Map.of("type", type, "status", "True", "reason", "Before", "message", "",
                                "lastTransitionTime", "2026-01-01T00:00:00Z"))
                        .toList()))));
        try (Nodeward nodeward = start()) {
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(
                    management.get("devicetaintrules.nodeward.io", "", "r").orElseThrow().at("/status/conditions"))
                    .hasSize(3).allSatisfy(condition -> {
                        assertThat(condition.path("status").asText()).isEqualTo("Unknown");
                        assertThat(condition.path("message").asText()).contains("the feature gate DeviceTaints");
                    }));
        }
    }

    @Test
    void a_controller_that_is_not_selected_neither_runs_nor_cleans_up() throws Exception {
        assertThat(metrics("--controllers=machine")).contains(of("machine"))
                .doesNotContain(of("topology-cleanup"), of("admission-cleanup"));
        assertThat(metrics("--controllers=*,-topology", "--feature-gates=TopologyTaintPropagation=true"))
                .contains(of("machine"), of("admission-cleanup")).doesNotContain(of("topology"));
    }

    /** Of the Service that the command line names: nobody else would delete what is registered there. */
    @Test
    void a_controller_that_is_not_selected_leaves_nothing_with_api_servers() throws Exception {
        assertThat(metrics("--controllers=machine", "--admission-service=a/b", "--dedicated-service=a/b:9444"))
                .contains(of("admission-cleanup"), of("dedicated-cleanup"))
                .doesNotContain(of("topology-cleanup"), of("devices-cleanup"), of("admission"));
        assertThat(metrics("--controllers=machine", "--admission-service=https://10.0.0.1:9443",
                "--feature-gates=MachineTaintAdmission=true", "--dedicated-service=a/b"))
                .as("at a URL it may be another's").contains(of("dedicated-cleanup"))
                .doesNotContain(of("admission-cleanup"));
        assertThat(metrics("--config=" + Files.writeString(directory.resolve("config"), "admission-service: a/b\n"),
                "--controllers=machine")).as("a file may be of several").doesNotContain(of("admission-cleanup"));
    }

    /** Once at the start, of each that may have been registered by this process before, or by one that runs beside it. */
    @Test
    void what_stays_of_a_controller_that_is_not_selected_is_said_with_how_to_delete_it() throws Exception {
        String config = "--config=" + Files.writeString(directory.resolve("config"), "dedicated-service: a/b\n");
        metrics(config, "--controllers=machine", "--admission-service=https://10.0.0.1:9443");
        assertThat(stays()).containsExactly("not selected: [admission, dedicated, guard]. If they ran before, what they"
                + " registered with API servers stays, as another process may run them now. If none does, delete it:"
                + " nodeward controller --cleanup --controllers=admission,dedicated,guard, with the other flags of"
                + " this process");
        metrics("--controllers=machine", "--admission-service=a/b");
        assertThat(stays()).as("the other is cleaned up after").hasSize(1).first().asString()
                .startsWith("not selected: [dedicated, guard].").contains("--controllers=dedicated,guard,");
        metrics("--controllers=*,-topology");
        assertThat(stays()).as("it registers nothing").isEmpty();
    }

    private List<String> stays() {
        return lines.stream().filter(line -> line.startsWith("not selected")).toList();
    }

    @Test
    void no_workload_cluster_is_connected_where_nobody_watches_nodes() throws Exception {
        try (Nodeward nodeward = start("--controllers=machine")) {
            awaitCluster(nodeward);
        }
        assertThat(metrics("--controllers=*,-machine")).contains("workqueue_adds_total{name=\"cluster\"} 0.0");
    }

    @Test
    void secrets_are_watched_only_for_a_controller_that_connects_workload_clusters() throws Exception {
        metrics("--controllers=topology", "--feature-gates=TopologyTaintPropagation=true");
        assertThat(management.requests()).extracting(Request::path)
                .contains("/apis/cluster.x-k8s.io/v1beta2/clusters").noneMatch(path -> path.contains("secrets"));
        metrics("--controllers=machine");
        assertThat(management.requests()).extracting(Request::path).contains("/api/v1/secrets");
    }

    @Test
    void what_needs_neither_cluster_api_nor_secrets_is_ready_where_both_are_forbidden() throws Exception {
        management.fault(1_000_000, r -> r.path().contains("secrets") || r.path().contains("cluster.x-k8s.io"),
                Fault.status(403, "Forbidden", "of the test"));
        metrics("--controllers=-machine");
        assertThat(management.requests()).as("no controller").extracting(Request::path)
                .containsOnly("/api/v1/namespaces/nodeward-system/configmaps");
        management.clearRequests();
        metrics("--controllers=-machine", "--pause-configmap=");
        assertThat(management.requests()).as("no controller, and no pause").isEmpty();
        metrics("--controllers=admission", "--feature-gates=MachineTaintAdmission=true", "--admission-mode=policy");
        assertThat(management.requests()).extracting(Request::path)
                .noneMatch(path -> path.contains("cluster.x-k8s.io"));
    }

    @Test
    void a_kind_that_may_not_be_read_keeps_no_workload_cluster_from_being_connected() throws Exception {
        management.fault(1_000_000, r -> r.path().contains("clusterclasses"),
                Fault.status(403, "Forbidden", "of the test"));
        try (Nodeward nodeward = start("--controllers=machine,topology",
                "--feature-gates=TopologyTaintPropagation=true")) {
            awaitCluster(nodeward);
            assertThat(lines).noneMatch(line -> line.startsWith("ready: "));
        }
    }

    /** Of a controller that has been started. */
    private String metrics(String... arguments) throws Exception {
        try (Nodeward nodeward = start(arguments)) {
            await().atMost(Duration.ofMinutes(2)).until(() -> lines.stream().anyMatch(l -> l.startsWith("ready: ")));
            return scrape(nodeward);
        }
    }

    private Nodeward start(String... arguments) throws Exception {
        lines.clear();
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig());
        List<String> all = new ArrayList<>(List.of("--kubeconfig=" + kubeconfig,
                "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0", "--cluster-servers=127.0.0.1"));
        all.addAll(List.of(arguments));
        return Nodeward.start(all.toArray(String[]::new));
    }

    private static void awaitCluster(Nodeward nodeward) {
        await().atMost(Duration.ofMinutes(2))
                .until(() -> scrape(nodeward).contains("workqueue_adds_total{name=\"cluster\"} 1.0"));
    }

    private static String scrape(Nodeward nodeward) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + nodeward.metricsPort() + "/metrics");
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).body();
    }

    private static String of(String controller) {
        return "controller_runtime_active_workers{controller=\"" + controller + "\"}";
    }
}
