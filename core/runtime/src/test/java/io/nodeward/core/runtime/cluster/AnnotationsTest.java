package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.status.Target;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AnnotationsTest {
    private static final Target TARGET = new Target(
            Resources.clusterApi("v1beta2", "machinesets"),
            new Event.Regarding("cluster.x-k8s.io/v1beta2", "MachineSet", new ObjectKey("ns", "m"), "u", "7"),
            List.of(),
            false);
    private static final String PATH = "PATCH /apis/cluster.x-k8s.io/v1beta2/namespaces/ns/machinesets/m?fieldManager=";

    private final List<Call> calls = new ArrayList<>();

    @Test
    void what_is_applied_holds_on_the_version_and_takes_over() {
        assertThat(annotations(true).apply(TARGET, Map.of("a", "1"), "room")).isPresent();

        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.method() + " " + call.path()).isEqualTo(PATH + "room&force=true");
            assertThat(new String(call.body().orElseThrow()))
                    .contains("\"resourceVersion\":\"7\"", "\"annotations\":{\"a\":\"1\"}");
        });
    }

    @Test
    void what_is_removed_goes_by_merge_patch_on_the_version() {
        assertThat(annotations(true).change(TARGET, Map.of("a", Optional.empty()), "room")).isPresent();

        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.method() + " " + call.path()).isEqualTo(PATH + "room");
            assertThat(call.headers()).containsEntry("Content-Type", "application/merge-patch+json");
            assertThat(new String(call.body().orElseThrow())).isEqualTo(
                    "{\"metadata\":{\"resourceVersion\":\"7\",\"annotations\":{\"a\":null}}}");
        });
    }

    @Test
    void observing_sends_nothing() {
        assertThat(annotations(false).apply(TARGET, Map.of("a", "1"), "room")).isEmpty();
        assertThat(annotations(false).change(TARGET, Map.of("a", Optional.empty()), "room")).isEmpty();
        assertThat(calls).isEmpty();
    }

    private Annotations annotations(boolean writes) {
        return new Annotations(new ApiServer(new Recording()), writes);
    }

    private final class Recording implements Transport {
        @Override
        public Answer exchange(Call call) {
            calls.add(call);
            return new Answer(200, Optional.empty(),
                    new ByteArrayInputStream("{\"metadata\":{\"resourceVersion\":\"8\"}}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
