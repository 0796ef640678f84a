package io.nodeward.controller.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TopologyWatchesTest {
    private static final TopologyTask CONTROL_PLANE = TopologyTask.propagate(TopologyKind.CONTROL_PLANE, key("c"));
    private static final TopologyTask DEPLOYMENT = TopologyTask.propagate(TopologyKind.MACHINE_DEPLOYMENT, key("d"));
    private static final TopologyTask SET = TopologyTask.propagate(TopologyKind.MACHINE_SET, key("s"));
    private static final MachineTaint TAINT = new MachineTaint("a", "1", "NoSchedule", MachineTaint.ALWAYS);
    private static final ClusterTopology TOPOLOGY = new ClusterTopology(metadata("c", Optional.empty()), "ns", "k",
            new ClusterTopology.ControlPlaneRef("g", "KubeadmControlPlane", "cp"), List.of(), List.of(), List.of());

    private final ManualTime time = new ManualTime();
    private final TopologyPolicy policy =
            new TopologyPolicy(true, true, TopologyMode.FULL, NoExecuteLimit.Settings.NONE);
    private final TopologyCaches caches = new TopologyCaches(management(), policy);
    private final TopologyWatches watches = new TopologyWatches(policy, caches);

    @Test
    void what_declares_something_else_concerns_itself_and_what_it_owns() {
        caches.holders(TopologyKind.MACHINE_SET).put(holder("s", Optional.of(owner("MachineDeployment", "d"))));
        caches.holders(TopologyKind.MACHINE_SET).put(holder("other", Optional.empty()));
        TaintHolder before = holder("d", Optional.empty());
        TaintHolder after = new TaintHolder(before.metadata(), "c", List.of(TAINT), List.of(), List.of(), 0);
        assertThat(watches.mapHolder(TopologyKind.MACHINE_DEPLOYMENT, before, after)).containsExactly(DEPLOYMENT, SET);
        assertThat(watches.mapHolder(TopologyKind.MACHINE_DEPLOYMENT, null, after)).containsExactly(DEPLOYMENT, SET);
        assertThat(watches.mapHolder(TopologyKind.MACHINE_DEPLOYMENT, before, before)).containsExactly(DEPLOYMENT);
        assertThat(watches.mapHolder(TopologyKind.MACHINE_DEPLOYMENT, after, null)).as("its status is forgotten")
                .containsExactly(DEPLOYMENT, SET, report(TopologyKind.MACHINE_DEPLOYMENT, "d"));
    }

    @Test
    void a_cluster_whose_pause_ends_concerns_all_that_is_its() {
        caches.holders(TopologyKind.MACHINE_DEPLOYMENT).put(holder("d", Optional.empty()));
        caches.holders(TopologyKind.MACHINE_SET).put(holder("s", Optional.empty()));
        assertThat(watches.mapCluster(cluster(true), cluster(false))).containsExactly(CONTROL_PLANE, DEPLOYMENT, SET);
        assertThat(watches.mapCluster(cluster(false), cluster(false))).isEmpty();
        assertThat(watches.mapCluster(cluster(false), null))
                .containsExactly(CONTROL_PLANE, DEPLOYMENT, SET, report(TopologyKind.CLUSTER, "c"));
    }

    @Test
    void a_cluster_that_only_its_annotation_pauses_from_now_on_concerns_its_machine_sets() {
        caches.holders(TopologyKind.MACHINE_SET).put(holder("s", Optional.empty()));
        assertThat(watches.mapCluster(annotated(true), annotated(false))).contains(SET);
        assertThat(watches.mapCluster(annotated(false), annotated(false))).isEmpty();
        assertThat(watches.mapCluster(annotated(false), cluster(false))).contains(SET);
    }

    private static Cluster annotated(boolean paused) {
        Metadata of = metadata("c", Optional.empty());
        return new Cluster(new Metadata(of.key(), of.uid(), "1", Map.of(), Map.of(ClusterApi.PAUSED_ANNOTATION, ""),
                List.of(), false), paused, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED, List.of());
    }

    @Test
    void a_class_and_a_topology_concern_what_the_clusters_declare_taints_for() {
        caches.holders(TopologyKind.MACHINE_DEPLOYMENT).put(holder("d", Optional.empty()));
        caches.topologies().put(TOPOLOGY);
        assertThat(watches.mapTopology(null, TOPOLOGY)).containsExactly(CONTROL_PLANE, DEPLOYMENT);
        assertThat(watches.mapTopology(TOPOLOGY, null)).containsExactly(CONTROL_PLANE, DEPLOYMENT);
        assertThat(watches.mapClass(null, clusterClass("k"))).containsExactly(CONTROL_PLANE, DEPLOYMENT);
        assertThat(watches.mapClass(clusterClass("k"), null)).containsExactly(CONTROL_PLANE, DEPLOYMENT);
        assertThat(watches.mapClass(null, clusterClass("other"))).isEmpty();
    }

    @Test
    void a_control_plane_concerns_its_cluster_and_a_kind_all_that_name_it() {
        caches.topologies().put(TOPOLOGY);
        TaintHolder controlPlane = holder("cp", Optional.empty());
        assertThat(watches.mapControlPlane("g", "KubeadmControlPlane", Optional.of(controlPlane)))
                .containsExactly(CONTROL_PLANE);
        assertThat(watches.mapControlPlane("g", "KubeadmControlPlane", Optional.empty()))
                .containsExactly(CONTROL_PLANE);
        assertThat(watches.mapControlPlane("g", "Other", Optional.of(controlPlane))).isEmpty();
        assertThat(watches.mapRights()).containsExactly(CONTROL_PLANE);
        TopologyWatches withoutGate = new TopologyWatches(
                new TopologyPolicy(false, true, TopologyMode.FULL, NoExecuteLimit.Settings.NONE), caches);
        assertThat(withoutGate.mapControlPlane("g", "KubeadmControlPlane", Optional.empty())).isEmpty();
    }

    @Test
    void an_object_that_a_former_run_has_reported_on_is_reported_on_again() {
        TaintHolder holder = holder("d", Optional.empty());
        Condition reported = new Condition(TopologyReconciler.CONDITION, "True", "Any", "any", Instant.EPOCH);
        Condition another = new Condition(Condition.PREFIX + "Any", "True", "Any", "any", Instant.EPOCH);
        assertThat(watches.mapReported(TopologyKind.MACHINE_DEPLOYMENT, holder, List.of(another, reported)))
                .containsExactly(report(TopologyKind.MACHINE_DEPLOYMENT, "d"));
        assertThat(watches.mapReported(TopologyKind.MACHINE_DEPLOYMENT, holder, List.of(another))).isEmpty();
    }

    private ManagementCluster management() {
        ApiServer server = new ApiServer(new UnaskedServer());
        return new ManagementCluster(server, "", new Timers(time, time::nanoTime));
    }

    private static TopologyTask report(TopologyKind kind, String name) {
        return TopologyTask.report(new SourceObject(kind, key(name)));
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("ns", name);
    }

    private static TaintHolder holder(String name, Optional<OwnerRef> maker) {
        return new TaintHolder(metadata(name, maker), "c", List.of(), List.of(), List.of(), 0);
    }

    private static OwnerRef owner(String kind, String name) {
        return new OwnerRef("cluster.x-k8s.io/v1beta2", kind, name, "uid of " + name, true);
    }

    private static Cluster cluster(boolean paused) {
        return new Cluster(metadata("c", Optional.empty()), paused, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of());
    }

    private static ClusterClass clusterClass(String name) {
        return new ClusterClass(metadata(name, Optional.empty()), List.of(), Map.of(), Map.of());
    }

    private static Metadata metadata(String name, Optional<OwnerRef> maker) {
        return new Metadata(key(name), "uid of " + name, "1", Map.of(), Map.of(), maker.stream().toList(), false);
    }
}
