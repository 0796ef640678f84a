package io.nodeward.core.rules.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PauseTest {
    private static final Metadata FREE = metadata(Map.of("cluster.x-k8s.io/other", ""));
    private static final Metadata ANNOTATED = metadata(Map.of(ClusterApi.PAUSED_ANNOTATION, "false"));

    private static Metadata metadata(Map<String, String> annotations) {
        return new Metadata(new ObjectKey("fleet", "c"), "u", "1", Map.of(), annotations, List.of(), false);
    }

    private static Cluster cluster(boolean paused, Metadata metadata) {
        return new Cluster(metadata, paused, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED,
                List.of());
    }

    @Test
    void a_cluster_pauses_by_its_spec_all_that_belongs_to_it() {
        assertThat(Pause.isPaused(cluster(true, FREE), FREE)).isTrue();
        assertThat(Pause.isPaused(cluster(true, FREE))).isTrue();
        assertThat(Pause.isPaused(cluster(false, FREE), FREE)).isFalse();
        assertThat(Pause.isPaused(cluster(false, FREE))).isFalse();
    }

    @Test
    void a_cluster_that_comes_goes_or_is_paused_by_its_spec_concerns_all_that_belongs_to_it() {
        Cluster free = cluster(false, FREE);
        assertThat(Pause.changed(null, free)).contains(free.key());
        assertThat(Pause.changed(free, null)).contains(free.key());
        assertThat(Pause.changed(free, cluster(true, FREE))).contains(free.key());
        assertThat(Pause.changed(cluster(true, FREE), free)).contains(free.key());
        assertThat(Pause.changed(free, cluster(false, ANNOTATED))).isEmpty();
        assertThat(Pause.changed(null, null)).isEmpty();
    }

    @Test
    void the_annotation_pauses_the_object_that_has_it_whatever_its_value() {
        assertThat(Pause.isPaused(cluster(false, FREE), ANNOTATED)).isTrue();
        assertThat(Pause.isAnnotated(ANNOTATED)).isTrue();
        assertThat(Pause.isAnnotated(FREE)).isFalse();
        assertThat(Pause.isAnnotated(Set.of(ClusterApi.PAUSED_ANNOTATION)::contains)).isTrue();
        assertThat(Pause.isAnnotated(Set.of("paused")::contains)).isFalse();
    }

    @Test
    void the_annotation_of_a_cluster_pauses_the_cluster_and_nothing_that_belongs_to_it() {
        assertThat(Pause.isPaused(cluster(false, ANNOTATED))).isTrue();
        assertThat(Pause.isPaused(cluster(false, ANNOTATED), FREE)).isFalse();
    }

    @Test
    void what_is_awaited_is_the_cluster_or_the_end_of_the_pause() {
        ObjectKey key = new ObjectKey("fleet", "c");
        assertThat(OwnerCluster.awaited(key, Optional.empty(), ANNOTATED)).contains("Cluster fleet/c");
        assertThat(OwnerCluster.awaited(key, Optional.of(cluster(true, FREE)), FREE)).contains("the end of the pause");
        assertThat(OwnerCluster.awaited(key, Optional.of(cluster(false, FREE)), ANNOTATED))
                .contains("the end of the pause");
        assertThat(OwnerCluster.awaited(key, Optional.of(cluster(false, ANNOTATED)), FREE)).isEmpty();
    }

    @Test
    void a_cluster_is_missed_by_what_has_a_node_and_not_by_what_is_as_new() {
        Optional<Cluster> there = Optional.of(cluster(false, FREE));
        String message = "Cluster fleet/c does not exist or is not watched";
        assertThat(OwnerCluster.missing(KnownFleet.machine("m", "", ""), Optional.empty())).isEmpty();
        assertThat(OwnerCluster.missing(KnownFleet.machine("m", "p1", ""), Optional.empty())).contains(message);
        assertThat(OwnerCluster.missing(KnownFleet.machine("m", "", "n1"), Optional.empty())).contains(message);
        assertThat(OwnerCluster.missing(KnownFleet.machine("m", "p1", "n1"), there)).isEmpty();
        assertThat(OwnerCluster.missing(KnownFleet.pool("p", List.of()), Optional.empty())).isEmpty();
        assertThat(OwnerCluster.missing(KnownFleet.pool("p", List.of("p1")), Optional.empty())).contains(message);
        assertThat(OwnerCluster.missing(
                KnownFleet.pool("p", List.of(), new NodeRef("n", "")),
                Optional.empty())).contains(message);
        assertThat(OwnerCluster.missing(KnownFleet.pool("p", List.of("p1")), there)).isEmpty();
    }
}
