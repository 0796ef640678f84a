package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.informer.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What controllers watch in workload clusters besides Nodes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WorkloadObjectsTest extends ClustersFixture {
    private static final Index<Pod> BY_NODE = Index.of("node", Pod::nodeName);
    private static final int FOR_EVER = 1_000_000;

    private final List<String> toldOfPods = new CopyOnWriteArrayList<>();
    private WorkloadObjects<Pod> pods;

    @BeforeEach
    void watchPods() {
        createCluster("c");
        createSecret("c", workload.kubeconfig());
        createPod("p");
        beforeConnecting = clusters -> {
            pods = clusters.watch(Resources.PODS, Projection.POD, BY_NODE);
            pods.subscribe(new WorkloadListener<>() {
                @Override
                public void changed(ObjectKey cluster, Pod before, Pod after) {
                    toldOfPods.add(cluster + "/" + (after != null ? after : before).key().name()
                            + (after == null ? " gone" : ""));
                }

                @Override
                public void available(ObjectKey cluster) {
                    toldOfPods.add(cluster + (pods.find(cluster).isPresent() ? " available" : " not found"));
                }
            });
        };
    }

    private void createPod(String name) {
        createPod(name, "");
    }

    private void createPod(String name, String annotation) {
        workload.create("pods", json("{'metadata':{'name':'" + name + "','annotations':{'a':'" + annotation
                + "'}},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}]}}"));
    }

    private boolean found() {
        return pods.find(C).isPresent();
    }

    @Test
    void a_cluster_has_a_cache_of_them_and_changes_are_told_from_then_on() {
        startSynced();
        until(() -> toldOfPods.contains("fleet/c available"));
        assertThat(pods.find(C).orElseThrow().find(BY_NODE, "n")).extracting(pod -> pod.key().name())
                .containsExactly("p");
        createPod("q");
        workload.delete("pods", "default", "p");
        until(() -> toldOfPods.size() == 3);

        assertThat(toldOfPods).containsExactly("fleet/c available", "fleet/c/q", "fleet/c/p gone");
        assertThat(workload.requests().stream().filter(request -> request.path().equals("/api/v1/pods"))).hasSize(1);
    }

    @Test
    void a_cluster_that_goes_takes_them_along() {
        startSynced();
        until(this::found);
        awaitOpenWatches(workload, 2);
        management.delete("clusters", "fleet", "c");

        awaitOpenWatches(workload, 0);
        assertThat(pods.find(C)).isEmpty();
        assertThat(backend.openConnections()).as("to the management cluster").isEqualTo(1);
    }

    @Test
    void they_are_told_to_be_available_when_they_are_found_and_after_each_outage_again() {
        startSynced();
        until(() -> !toldOfPods.isEmpty());
        for (int outages = 1; outages <= 2; outages++) {
            workload.fault(FOR_EVER, request -> true, Fault.status(503, "ServiceUnavailable", "of the test"));
            workload.dropWatches();
            until(() -> workloads.find(C).isEmpty());
            workload.clearFaults();
            int times = outages + 1;
            until(() -> toldOfPods.size() == times);
        }

        assertThat(toldOfPods).containsOnly("fleet/c available");
    }

    @Test
    void a_kind_that_fills_the_memory_is_let_go_and_nothing_else() {
        settings = new ClusterSettings(settings.policy(), settings.inFlight(), settings.readsPerSecond(), 1 << 20,
                settings.probeEvery(), settings.blockedAfter());
        IntStream.range(0, 20).forEach(i -> createPod("large" + i, "x".repeat(100_000)));
        FakeApiServer other = server();
        createCluster("d");
        createSecret("d", other.kubeconfig());
        List<WorkloadObjects<PartialObject>> accounts = new ArrayList<>();
        beforeConnecting = beforeConnecting.andThen(clusters -> accounts.add(
                clusters.watch(Resources.namespaced("", "v1", "serviceaccounts"), Projection.METADATA)));
        startSynced();

        JsonNode blocked = awaitBlocked("c");
        assertThat(blocked.path("reason").asText()).isEqualTo("ObjectsTooLarge");
        assertThat(blocked.path("message").asText()).endsWith(": pods");
        untilAsserted(() -> assertThat(events()).singleElement()
                .satisfies(event -> assertThat(event.path("reason").asText()).isEqualTo("ObjectsTooLarge")));
        awaitOpenWatches(workload, 2);
        until(() -> accounts.getFirst().find(C).isPresent() && pods.find(new ObjectKey("fleet", "d")).isPresent());
        assertThat(workloads.find(C)).isPresent();
        assertThat(found()).isFalse();
        assertThat(blocked("d")).isEmpty();
        assertThat(toldOfPods).noneMatch(told -> told.startsWith("fleet/c"));
    }

    @Test
    void a_kind_that_was_too_large_is_watched_again_when_the_secret_changes() {
        settings = new ClusterSettings(settings.policy(), settings.inFlight(), settings.readsPerSecond(), 1 << 20,
                settings.probeEvery(), settings.blockedAfter());
        IntStream.range(0, 20).forEach(i -> createPod("large" + i, "x".repeat(100_000)));
        startSynced();
        awaitConnected("c");
        awaitBlocked("c");
        WorkloadCluster before = workloads.find(C).orElseThrow();
        IntStream.range(0, 20).forEach(i -> workload.delete("pods", "default", "large" + i));
        management.mergePatch("secrets", "fleet", "c-kubeconfig", json("{'metadata':{'annotations':{'seen':'no'}}}"));

        until(() -> toldOfPods.contains("fleet/c available"));
        until(() -> blocked("c").isEmpty());
        assertThat(pods.find(C).orElseThrow().size()).isEqualTo(1);
        assertThat(workloads.find(C)).as("the connection").containsSame(before);
    }

    @Test
    void what_nobody_asked_for_in_time_is_not_taken_for_none() {
        startSynced();
        until(this::found);

        assertThatIllegalStateException().isThrownBy(() -> workloads.watch(Resources.SECRETS, Projection.METADATA))
                .withMessageContaining("nobody asked for secrets before the start");
    }

    @Test
    void nodes_are_available_where_the_others_may_not_be_read_and_these_come_with_the_right() {
        workload.fault(FOR_EVER, request -> request.path().endsWith("/pods"),
                Fault.status(403, "Forbidden", "of the test"));
        startSynced();
        awaitConnected("c");
        until(() -> workload.requests().stream().filter(request -> request.path().endsWith("/pods")).count() >= 3);

        assertThat(found()).isFalse();
        assertThat(workloads.find(C)).isPresent();
        assertThat(workloads.find(C).orElseThrow().blocked()).isEmpty();
        workload.clearFaults();
        until(this::found);
    }

    @Test
    void they_are_seen_where_nodes_may_not_be_read() {
        workload.fault(FOR_EVER, request -> request.path().endsWith("/nodes"),
                Fault.status(403, "Forbidden", "of the test"));
        startSynced();
        until(this::found);

        assertThat(workloads.find(C)).isEmpty();
    }

    /** One read a second and two at once, for all together, would take time, and none passes here. */
    @Test
    void each_kind_has_a_budget_of_its_own() {
        settings = new ClusterSettings(settings.policy(), settings.inFlight(), 1, settings.largestState(),
                settings.probeEvery(), settings.blockedAfter());
        List<WorkloadObjects<? extends KubernetesObject>> others = new ArrayList<>();
        beforeConnecting = beforeConnecting.andThen(clusters -> Stream.of("serviceaccounts", "secrets", "events")
                .map(plural -> Resources.namespaced("", "v1", plural))
                .forEach(resource -> others.add(clusters.<PartialObject>watch(resource, Projection.METADATA))));
        startSynced();

        await().atMost(PATIENCE).until(() -> workloads.find(C).isPresent() && found()
                && others.stream().allMatch(kind -> kind.find(C).isPresent()));
    }
}
