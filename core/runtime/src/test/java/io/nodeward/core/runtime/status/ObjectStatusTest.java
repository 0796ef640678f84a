package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ObjectStatusTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "m");
    private static final Target MACHINE = new Target(new Resource("cluster.x-k8s.io", "v1beta2", "machines", true),
            new Event.Regarding("cluster.x-k8s.io/v1beta2", "Machine", KEY, "uid", "1"), List.of(), false);

    private final ManualTime time = new ManualTime();
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final ObjectStatus<ObjectKey> status = new ObjectStatus<>(key -> new ObjectId("Machine", key), "test",
            new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
            new EventRecorder(server, time, new Timers(time, time::nanoTime), false, new SimpleMeterRegistry()));

    @Test
    void what_is_awaited_of_members_is_not_dropped_in_silence() {
        Optional<Awaited> awaited = Optional.of(new Awaited(Reason.NODES_UNINITIALIZED, "before ", " after"));
        assertThatThrownBy(() -> status.report(KEY, MACHINE, new Outcome.InEffect(List.of(), awaited)))
                .hasMessageContaining("ns/m", "NodesUninitialized");
    }

    @Test
    void nor_is_a_summary_of_members() {
        assertThatThrownBy(() -> status.report(KEY, MACHINE, new Outcome.Summary(Set.of("n"))))
                .hasMessageContaining("ns/m has no members");
    }
}
