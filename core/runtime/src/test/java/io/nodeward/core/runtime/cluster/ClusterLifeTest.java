package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.status.Blocked;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.controller.WorkloadListener;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clusters that come late, hang, change their credentials, or are not whose they seem. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterLifeTest extends ClustersFixture {
    private static final ObjectKey C = new ObjectKey("fleet", "c");
    private static final Predicate<Request> NODES = r -> r.path().equals("/api/v1/nodes");
    private static final Predicate<Request> PROBE = r -> r.path().equals("/version");

    @BeforeEach
    void hurry() {
        settings = new ClusterSettings(new KubeconfigPolicy(false, AllowedServers.ALL), 64, 0, 1 << 20,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1));
    }

    @Test
    void a_cluster_is_connected_when_its_infrastructure_and_its_control_plane_are_there() {
        createCluster("c");
        status("c", "{'phase':'Provisioning'}");
        createSecret("c", workload.kubeconfig());
        startSynced();
        createCluster("after");
        createSecret("after", workload.kubeconfig());
        awaitConnected("after");
        status("c", "{'initialization':{'infrastructureProvisioned':true}}");
        createCluster("later");
        createSecret("later", workload.kubeconfig());
        awaitConnected("later");
        assertThat(secretReads()).as("of those without a status").isEqualTo(2);
        status("c", "{'initialization':{'controlPlaneInitialized':true}}");

        awaitConnected("c");
        status("c", "{'initialization':null,'phase':'Failed'}");
        status("c", "{'phase':'Unknown'}");
        createCluster("last");
        createSecret("last", workload.kubeconfig());
        awaitConnected("last");
        assertThat(workloads.find(C)).as("a connection that stands is kept").isPresent();
    }

    /** As in a container that has reached its limit of threads. */
    @Test
    void a_connection_that_cannot_start_is_closed_before_the_next_one() {
        AtomicInteger starts = new AtomicInteger();
        scheduler = real -> (ScheduledExecutorService) Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[]{ScheduledExecutorService.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("schedule") && isWorkloadStarting() && starts.incrementAndGet() <= 3) {
                        throw new OutOfMemoryError("unable to create native thread, says the test");
                    }
                    return method.invoke(real, arguments);
                });
        startSynced();
        int before = backend.openConnections();
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        awaitConnected("c");
        assertThat(starts).hasValueGreaterThan(3);
        assertThat(backend.openConnections() - before).isEqualTo(1);
    }

    private static boolean isWorkloadStarting() {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("start")
                && frame.getClassName().equals(WorkloadCluster.class.getName())));
    }

    @Test
    void an_idle_cluster_is_asked_whether_it_is_there_and_nothing_else() {
        connect();
        workload.clearRequests();
        until(() -> workload.requests().stream().filter(PROBE).count() >= 3);

        assertThat(workload.requests()).allMatch(PROBE);
    }

    @Test
    void an_outage_is_a_condition_and_its_end_wakes_what_waited() throws Exception {
        connect();
        workload.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "internal page do-not-show-me"));
        workload.dropWatches();
        until(() -> workloads.find(C).isEmpty());
        JsonNode blocked = awaitBlocked("c");

        assertThat(blocked.path("reason").asText()).isEqualTo("ClusterUnreachable");
        assertThat(blocked.path("message").asText()).startsWith("the API server does not answer as it should")
                .doesNotContain("503");
        untilAsserted(() -> assertThat(events()).singleElement()
                .satisfies(e -> assertThat(e.path("reason").asText()).isEqualTo("ClusterUnreachable")));
        assertThat(available).containsExactly("c");
        workload.clearFaults();
        until(() -> workloads.find(C).isPresent());
        until(() -> blocked("c").isEmpty());
        assertThat(available).containsExactly("c", "c");
        workload.create("nodes", json("{'metadata':{'name':'new'}}"));
        until(() -> told.contains("c/new"));
    }

    @Test
    void a_short_outage_is_said_to_nobody() throws Exception {
        settings = new ClusterSettings(new KubeconfigPolicy(false, AllowedServers.ALL), 64, 0, 1 << 20,
                Duration.ofSeconds(1),
                Duration.ofMinutes(1));
        connect();
        workload.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "down"));
        workload.dropWatches();
        until(() -> workloads.find(C).isEmpty());
        workload.clearFaults();
        until(() -> workloads.find(C).isPresent());

        assertThat(events()).isEmpty();
        assertThat(management.requests()).noneMatch(r -> r.method().equals("PATCH"));
    }

    @Test
    void a_cluster_whose_nodes_may_not_be_read_says_so() throws Exception {
        workload.fault(1_000_000, NODES, Fault.status(403, "Forbidden", "nodes is forbidden: do-not-show-me"));
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();

        JsonNode blocked = awaitBlocked("c");
        assertThat(blocked.path("reason").asText()).isEqualTo("NodesNotWatched");
        assertThat(blocked.path("message").asText()).contains("does not let Nodeward watch")
                .doesNotContain("403", "do-not-show-me");
        workload.clearFaults();
        awaitConnected("c");
        until(() -> blocked("c").isEmpty());
    }

    @Test
    void an_outage_that_turns_into_a_refusal_says_so() throws Exception {
        settings = new ClusterSettings(new KubeconfigPolicy(false, AllowedServers.ALL), 64, 0, 1 << 20,
                Duration.ofSeconds(1),
                Duration.ZERO);
        workload.fault(1_000_000, NODES, Fault.status(503, "ServiceUnavailable", "down"));
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        assertThat(awaitBlocked("c").path("reason").asText()).isEqualTo("ClusterUnreachable");
        workload.clearFaults();
        workload.fault(1_000_000, NODES, Fault.status(403, "Forbidden", "nodes is forbidden"));

        until(() -> awaitBlocked("c").path("reason").asText().equals("NodesNotWatched"));
    }

    @Test
    void a_new_token_for_the_same_server_breaks_no_watch_and_is_used_from_then_on() {
        connect(workload.kubeconfigWithToken("one"));
        WorkloadCluster before = workloads.find(C).orElseThrow();
        long watches = workload.requests().stream().filter(NODES).count();
        changeSecret("c", workload.kubeconfigWithToken("two"));
        until(() -> secretReads() == 2 && workloads.isIdle());

        assertThat(workloads.find(C)).containsSame(before);
        assertThat(workload.requests().stream().filter(NODES).count()).isEqualTo(watches);
        workload.turnAway("one");
        workload.dropWatches();
        workload.create("nodes", json("{'metadata':{'name':'new'}}"));
        until(() -> told.contains("c/new"));
        assertThat(told.stream().filter("c/n"::equals)).hasSize(1);
        assertThat(workload.requests()).extracting(Request::code).doesNotContain(401);
    }

    @Test
    void the_words_of_one_reason_stay_whoever_fails_for_it() throws Exception {
        connect();
        AtomicBoolean sick = new AtomicBoolean(true);
        workload.fault(1_000_000, NODES, Fault.status(503, "ServiceUnavailable", "down"));
        workload.fault(1_000_000, r -> r.path().equals("/version") && sick.get(),
                Fault.status(500, "InternalError", "down"));
        workload.dropWatches();
        until(() -> blocked("c").stream()
                .anyMatch(c -> c.path("message").asText().startsWith("the API server does not answer as it should")));
        JsonNode blocked = blocked("c").getFirst();
        sick.set(false); // the watch goes on failing, in other words
        workload.clearRequests();
        until(() -> workload.requests().stream()
                .anyMatch(r -> r.path().equals("/version") && r.code() == 200));
        createCluster("d"); // an event after it has been seen to
        createSecret("d", workload.kubeconfig());
        awaitBlocked("d");
        assertThat(blocked("c")).containsExactly(blocked);
    }

    @Test
    void refused_credentials_are_read_again_from_the_secret_and_then_waited_for() throws Exception {
        connect();
        workload.fault(1_000_000, r -> true, Fault.status(401, "Unauthorized", "Unauthorized"));
        workload.dropWatches();
        until(() -> workloads.find(C).isEmpty());
        JsonNode blocked = awaitBlocked("c");
        assertThat(blocked.path("reason").asText()).isEqualTo("CredentialsRefused");
        assertThat(secretReads()).as("no more than once a minute").isEqualTo(2);

        workload.clearFaults();
        changeSecret("c", workload.kubeconfigWithToken("two"));
        until(() -> workloads.find(C).isPresent());
        until(() -> blocked("c").isEmpty());
        // The server accepts the former token again, too: it may be used before the change of the Secret arrives.
        until(() -> secretReads() == 3 && workloads.isIdle());
    }

    @Test
    void a_refused_kubeconfig_is_a_condition_too_and_goes_with_the_defect() throws Exception {
        createCluster("c");
        createSecret("c", "- no kubeconfig");
        startSynced();
        assertThat(awaitBlocked("c").path("reason").asText()).isEqualTo("KubeconfigRefused");
        changeSecret("c", workload.kubeconfig());
        awaitConnected("c");
        until(() -> blocked("c").isEmpty());
    }

    @Test
    void a_restart_keeps_what_is_said_and_takes_it_away_when_it_is_over() throws Exception {
        createCluster("c");
        createSecret("c", "- no kubeconfig");
        startSynced();
        JsonNode blocked = awaitBlocked("c");
        stop();
        management.clearRequests();
        startSynced();
        until(() -> secretReads() == 1 && workloads.isIdle());
        time.pass(settings.blockedAfter().multipliedBy(2)); // the condition would be written by then
        until(workloads::isIdle);
        assertThat(management.requests()).noneMatch(r -> r.path().endsWith("/status"));
        assertThat(blocked("c")).containsExactly(blocked);
        changeSecret("c", workload.kubeconfig());
        until(() -> blocked("c").isEmpty());
    }

    @Test
    void a_restart_does_not_take_an_outage_for_over_before_the_cluster_was_asked() throws Exception {
        connect();
        workload.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "down"));
        workload.dropWatches();
        JsonNode blocked = awaitBlocked("c");
        stop();
        management.clearRequests();
        workload.clearRequests();
        startSynced();
        until(() -> workload.requests().stream().filter(PROBE).count() >= 2);
        assertThat(management.requests()).noneMatch(r -> r.path().endsWith("/status"));
        assertThat(blocked("c")).containsExactly(blocked);
        workload.clearFaults();
        until(() -> blocked("c").isEmpty());
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', textBlock = """
            {'type':'Opaque'}                                                   | type is Opaque
            {'metadata':{'labels':{'cluster.x-k8s.io/cluster-name':'other'}}}   | names Cluster other
            {'metadata':{'ownerReferences':[{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'Cluster','name':'c','uid':'x'}]}} | belongs to Cluster c
            {'metadata':{'ownerReferences':[{'apiVersion':'x/v1','kind':'ControlPlane','name':'other','uid':'x','controller':true}]}} | belongs to ControlPlane other
            """)
    void a_secret_that_is_not_this_clusters_is_refused(String change, String why) {
        management.create("clusters", json("{'metadata':{'namespace':'fleet','name':'c'},"
                + "'spec':{'controlPlaneRef':{'kind':'ControlPlane','name':'cp'}}}"));
        management.create("secrets", secret("c", workload.kubeconfig(), json(change)));
        startSynced();

        until(() -> events().size() == 1);
        assertThat(events().getFirst().path("message").asText()).contains(why);
        assertThat(workload.requests()).isEmpty();
    }

    @Test
    void a_secret_of_the_clusters_own_control_plane_is_taken() {
        management.create("clusters", json("{'metadata':{'namespace':'fleet','name':'c'},"
                + "'spec':{'controlPlaneRef':{'kind':'ControlPlane','name':'cp'}}}"));
        management.create("secrets", secret("c", workload.kubeconfig(), json("{'metadata':{'ownerReferences':"
                + "[{'apiVersion':'x/v1','kind':'ControlPlane','name':'cp','uid':'x','controller':true}]}}")));
        startSynced();
        awaitConnected("c");
    }

    @Test
    void a_server_that_is_not_listed_gets_no_request() {
        settings = new ClusterSettings(
                new KubeconfigPolicy(false, AllowedServers.of(List.of("*.example.com"))), 64, 0, 1 << 20,
                Duration.ofSeconds(1), Duration.ofSeconds(1));
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        until(() -> events().size() == 1);
        assertThat(events().getFirst().path("message").asText()).contains("127.0.0.1", "--cluster-servers");
        assertThat(workload.requests()).isEmpty();
    }

    @Test
    void a_cluster_that_fills_the_memory_is_let_go_and_no_other() throws Exception {
        FakeApiServer large = server();
        fill(large);
        createCluster("large");
        createSecret("large", large.kubeconfig());
        connect();
        assertThat(awaitBlocked("large").path("reason").asText()).isEqualTo("ClusterTooLarge");
        awaitOpenWatches(large, 0);
        assertThat(workloads.find(C)).isPresent();
        assertThat(workloads.find(new ObjectKey("fleet", "large"))).isEmpty();
    }

    @Test
    void a_cluster_that_is_still_too_large_says_so_without_a_break_when_its_secret_changes() {
        FakeApiServer large = server();
        fill(large);
        createCluster("large");
        createSecret("large", large.kubeconfig());
        startSynced();
        List<JsonNode> before = List.of(awaitBlocked("large"));
        awaitOpenWatches(large, 0);
        large.clearRequests();
        changeSecret("large", large.kubeconfig() + "\n");
        until(() -> large.requests().stream().anyMatch(NODES) && workloads.isIdle());
        awaitOpenWatches(large, 0); // else the next Secret only renews the connection that is too large
        assertThat(blocked("large")).isEqualTo(before);

        for (int i = 0; i < 20; i++) {
            large.delete("nodes", "", "n" + i);
        }
        changeSecret("large", large.kubeconfig() + "\n\n");
        awaitConnected("large");
        until(() -> blocked("large").isEmpty());
        assertThat(management.requests()).filteredOn(request -> request.method().equals("PATCH"))
                .as("it came and went once").hasSize(2);
    }

    @Test
    void a_cluster_is_not_written_to_from_the_node_on_that_is_too_much() {
        List<Boolean> found = new CopyOnWriteArrayList<>();
        start();
        workloads.subscribe(new WorkloadListener<>() {
            @Override
            public void changed(ObjectKey key, Node before, Node after) {
                found.add(workloads.find(key).isPresent());
            }

            @Override
            public void available(ObjectKey key) {}
        });
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        awaitConnected("c");
        fill(workload);
        until(() -> found.contains(false));
        assertThat(found).startsWith(true);
    }

    /** With more than settings allow. */
    private static void fill(FakeApiServer server) {
        for (int i = 0; i < 20; i++) {
            server.create("nodes", json("{'metadata':{'name':'n" + i + "','annotations':{'a':'" + "x".repeat(100_000)
                    + "'}}}"));
        }
    }

    private void connect() {
        connect(workload.kubeconfig());
    }

    private void connect(String kubeconfig) {
        createCluster("c");
        createSecret("c", kubeconfig);
        startSynced();
        awaitConnected("c");
        until(() -> available.contains("c"));
    }

    private void status(String cluster, String status) {
        management.mergePatch("clusters", "fleet", cluster, json("{'status':" + status + "}"));
    }
}
