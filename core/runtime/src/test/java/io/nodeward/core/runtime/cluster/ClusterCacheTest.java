package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.testkit.VirtualThreads;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterCacheTest extends ClustersFixture {
    @Test
    void a_cluster_is_connected_when_its_secret_is_there_and_its_nodes_are_told() {
        startSynced();
        createCluster("c");
        assertThat(workloads.find(C)).isEmpty();
        createSecret("c", workload.kubeconfig());
        awaitConnected("c");

        untilAsserted(() -> assertThat(told).containsExactly("c/n"));
        assertThat(besidesProbes()).singleElement().satisfies(r -> {
            assertThat(r.path()).isEqualTo("/api/v1/nodes");
            assertThat(r.query()).contains("sendInitialEvents=true");
        });
        assertThat(secretReads()).isEqualTo(1);
    }

    @Test
    void a_secret_that_is_there_before_its_cluster_waits_for_it() {
        createSecret("c", workload.kubeconfig());
        startSynced();
        createSecret("other", workload.kubeconfig());
        createCluster("other");
        awaitConnected("other");
        assertThat(workloads.find(C)).isEmpty();
        createCluster("c");

        awaitConnected("c");
    }

    @Test
    void it_is_not_idle_while_a_cluster_is_asked_whether_it_is_there() throws Exception {
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        awaitConnected("c");
        until(workloads::isIdle);
        CountDownLatch asked = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        workload.listen(request -> {
            if (request.path().equals("/version")) {
                asked.countDown();
                awaitDown(answer);
            }
        });
        time.pass(settings.probeEvery().multipliedBy(2));
        asked.await();
        assertThat(workloads.isIdle()).isFalse();
        answer.countDown();
        until(workloads::isIdle);
    }

    private static void awaitDown(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void another_kubeconfig_is_another_connection_and_the_old_one_is_given_back() {
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        awaitConnected("c");
        FakeApiServer moved = server();
        moved.create("nodes", json("{'metadata':{'name':'elsewhere'}}"));
        changeSecret("c", moved.kubeconfig());

        until(() -> told.contains("c/elsewhere"));
        awaitOpenWatches(workload, 0);
        awaitOpenWatches(moved, 1);
        awaitConnected("c");
    }

    @Test
    void the_same_kubeconfig_in_a_changed_secret_stays_connected() {
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        awaitConnected("c");
        WorkloadCluster before = workloads.find(C).orElseThrow();
        management.mergePatch("secrets", "fleet", "c-kubeconfig",
                json("{'metadata':{'annotations':{'rotated':'no'}}}"));
        until(() -> secretReads() == 2 && workloads.isIdle());

        assertThat(workloads.find(C)).containsSame(before);
        assertThat(besidesProbes()).as("one watch").hasSize(1);
        assertThat(told.stream().filter("c/n"::equals)).hasSize(1);
    }

    @Test
    void a_cluster_without_its_secret_is_let_go_whole() {
        createCluster("c");
        startSynced();
        assertThat(backend.openConnections()).as("to the management cluster").isEqualTo(1);
        createSecret("c", workload.kubeconfig());
        awaitConnected("c");
        assertThat(backend.openConnections()).isEqualTo(2);
        management.delete("secrets", "fleet", "c-kubeconfig");

        assertLetGo();
    }

    @Test
    void a_secret_without_its_cluster_is_let_go_whole() {
        createCluster("c");
        startSynced();
        createSecret("c", workload.kubeconfig());
        awaitConnected("c");
        management.delete("clusters", "fleet", "c");

        assertLetGo();
        createCluster("c");
        awaitConnected("c");
    }

    private void assertLetGo() {
        awaitOpenWatches(workload, 0);
        until(() -> workloads.find(C).isEmpty());
        untilAsserted(() -> assertThat(backend.openConnections()).isEqualTo(1));
        assertThat(besidesProbes()).as("no request after the watch").hasSize(1);
    }

    private List<Request> besidesProbes() {
        return workload.requests().stream().filter(r -> !r.path().equals("/version")).toList();
    }

    @Test
    void a_kubeconfig_that_is_refused_is_one_warning_that_names_the_defect() {
        createCluster("c");
        createSecret("c",
                workload.kubeconfig().replace("user: {}", "user: {exec: {command: sh}, token: do-not-show-me}"));
        startSynced();
        until(() -> events().size() == 1);
        management.mergePatch("clusters", "fleet", "c", json("{'metadata':{'labels':{'seen':'again'}}}"));
        management.mergePatch("secrets", "fleet", "c-kubeconfig", json("{'metadata':{'labels':{'seen':'again'}}}"));
        until(() -> secretReads() == 2 && workloads.isIdle());

        assertThat(events()).singleElement().satisfies(event -> {
            assertThat(event.at("/type").asText()).isEqualTo("Warning");
            assertThat(event.at("/reason").asText()).isEqualTo("KubeconfigRefused");
            assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("Cluster");
            assertThat(event.at("/involvedObject/name").asText()).isEqualTo("c");
            assertThat(event.at("/message").asText()).contains("fleet/c-kubeconfig", "user.exec");
            assertThat(event.toString()).doesNotContain("do-not-show-me");
        });
        assertThat(workload.requests()).isEmpty();
        changeSecret("c", "{not: yaml");
        until(() -> events().size() == 2);
        changeSecret("c", workload.kubeconfig());
        awaitConnected("c");
    }

    @Test
    void a_connected_cluster_whose_kubeconfig_goes_bad_is_let_go() {
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        awaitConnected("c");
        changeSecret("c", "");

        awaitOpenWatches(workload, 0);
        until(() -> events().size() == 1);
        assertThat(workloads.find(C)).isEmpty();
    }

    @Test
    void a_restart_says_nothing_twice() throws Exception {
        createCluster("c");
        createSecret("c", "- no kubeconfig");
        startSynced();
        until(() -> events().size() == 1);
        stop();
        management.clearRequests();
        startSynced();

        until(() -> eventWrites().size() == 1);
        assertThat(eventWrites()).extracting(Request::code).containsExactly(409);
        assertThat(events()).singleElement().satisfies(e -> assertThat(e.at("/count").asInt()).isEqualTo(1));
    }

    @Test
    void a_cluster_that_does_not_answer_holds_up_no_other() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String nobody = workload.kubeconfig().replace(workload.url(), "http://127.0.0.1:" + silent.getLocalPort());
            for (int i = 0; i < 30; i++) { // more than are connected at a time
                createCluster("hangs" + i);
                createSecret("hangs" + i, nobody);
            }
            startSynced();
            createCluster("c");
            createSecret("c", workload.kubeconfig());
            awaitConnected("c");

            assertThat(workloads.find(new ObjectKey("fleet", "hangs0"))).isEmpty();
        }
    }

    @Test
    void a_cluster_that_refuses_us_is_asked_again_and_connected_when_it_does_not() {
        workload.fault(3, r -> true, Fault.status(401, "Unauthorized", "Unauthorized"));
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();

        awaitConnected("c");
        assertThat(workload.requests().stream().filter(r -> r.path().equals("/api/v1/nodes"))).extracting(Request::code)
                .startsWith(401).endsWith(200);
        untilAsserted(() -> assertThat(told).containsExactly("c/n"));
    }

    @Test
    void stopping_leaves_no_connection_and_no_thread(@TempDir Path directory) throws Exception {
        Set<Thread> others = Set.copyOf(Thread.getAllStackTraces().keySet());
        VirtualThreads virtual = new VirtualThreads(directory);
        Set<String> virtualOthers = virtual.named("nodeward-");
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        startSynced();
        awaitConnected("c");
        assertThat(ours(others)).isNotEmpty();
        assertThat(virtual.named("nodeward-")).anyMatch(thread -> !virtualOthers.contains(thread));
        stop();

        assertThat(backend.openConnections()).isZero();
        untilAsserted(() -> assertThat(ours(others)).isEmpty());
        untilAsserted(() -> assertThat(virtual.named("nodeward-")).isSubsetOf(virtualOthers));
        awaitOpenWatches(workload, 0);
    }

    @Test
    void what_fails_to_close_keeps_nothing_else_open() throws Exception {
        FakeApiServer other = server();
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        createCluster("d");
        createSecret("d", other.kubeconfig());
        startSynced();
        awaitConnected("c");
        awaitConnected("d");
        awaitOpenWatches(workload, 1);
        awaitOpenWatches(other, 1);
        assertThat(backend.openConnections()).isEqualTo(3);
        backend.failToClose(workload.url());
        workloads.close();

        assertThat(backend.openConnections()).as("to the management cluster").isEqualTo(1);
        awaitOpenWatches(workload, 0);
        awaitOpenWatches(other, 0);
    }

    /** Threads that came since: of HTTP clients, and Nodeward's. */
    private static List<String> ours(Set<Thread> others) {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> !others.contains(thread))
                .map(Thread::getName)
                .filter(name -> name.contains("SelectorManager") || name.startsWith("nodeward-")).toList();
    }
}
