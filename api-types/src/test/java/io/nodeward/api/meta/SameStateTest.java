package io.nodeward.api.meta;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Cluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SameStateTest {
    private final Metadata one =
            new Metadata(new ObjectKey("ns", "a"), "uid", "1", Map.of(), Map.of(), List.of(), false);
    private final Metadata two = one.withResourceVersion("2");

    @Test
    void another_version_of_an_object_that_was_read_whole_is_the_same_state() {
        assertThat(cluster(one, false).sameState(cluster(two, false))).isTrue();
        assertThat(cluster(one, false).sameState(cluster(two, true))).isFalse();
    }

    private static Cluster cluster(Metadata metadata, boolean paused) {
        return new Cluster(
                metadata, paused, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED, List.of());
    }

    @Test
    void another_version_of_an_object_of_which_only_metadata_was_read_may_differ_in_what_was_not_read() {
        assertThat(new PartialObject(one).sameState(new PartialObject(two))).isFalse();
        assertThat(new PartialObject(one).sameState(new PartialObject(one))).isTrue();
    }
}
