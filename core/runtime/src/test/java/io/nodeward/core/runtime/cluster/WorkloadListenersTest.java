package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.controller.WorkloadListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WorkloadListenersTest {
    private static final ObjectKey CLUSTER = new ObjectKey("fleet", "c");
    private static final PartialObject OBJECT = new PartialObject(
            new Metadata(new ObjectKey("ns", "p"), "u", "1", Map.of(), Map.of(), List.of(), false));

    private final List<String> told = new ArrayList<>();

    @Test
    void a_listener_that_fails_keeps_nothing_from_the_others() {
        WorkloadObjects<PartialObject> kind = new WorkloadObjects<>(null, null, List.of(), key -> Optional.empty());
        kind.subscribe(listener(true));
        kind.subscribe(listener(false));
        kind.changed(CLUSTER, null, OBJECT);
        kind.available(CLUSTER);

        assertThat(told).containsExactly("changed", "changed", "available", "available");
    }

    private WorkloadListener<PartialObject> listener(boolean fails) {
        return new WorkloadListener<>() {
            @Override
            public void changed(ObjectKey cluster, PartialObject before, PartialObject after) {
                hear("changed");
            }

            @Override
            public void available(ObjectKey cluster) {
                hear("available");
            }

            private void hear(String what) {
                told.add(what);
                if (fails) {
                    throw new IllegalStateException("of the test");
                }
            }
        };
    }
}
