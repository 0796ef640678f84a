package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.informer.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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
                    toldOfPods.add(cluster + " available");
                }
            });
        };
    }

    private void createPod(String name) {
        workload.create("pods", json("{'metadata':{'name':'" + name + "'},'spec':{'nodeName':'n','containers':"
                + "[{'name':'c','image':'i'}]}}"));
    }

    private boolean found() {
        return pods.find(C).isPresent();
    }

    @Test
    void a_cluster_has_a_cache_of_them_and_changes_are_told_from_then_on() {
        startSynced();
        until(this::found);
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

        await().until(() -> workloads.find(C).isPresent() && found()
                && others.stream().allMatch(kind -> kind.find(C).isPresent()));
    }
}
