package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OwnerStatusTest {
    private static final ObjectKey POOL = new ObjectKey("ns", "p");
    private static final Blocked BY = new Blocked("DriftRecurring", "Node a: somebody keeps undoing what is declared");

    /** Requests by path. */
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer server = new ApiServer(new Recording());
    private final EventRecorder events = new EventRecorder(server, time, timers, true, new SimpleMeterRegistry());
    /** By name of the member; the owner itself has none. */
    private final OwnerStatus<String> status = new OwnerStatus<>(
            new OwnerStatus.Naming<>("MachinePool", "test", key -> POOL, key -> key, owner -> ""), "test",
            List.of(BY.reason()), new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true), events,
            time);

    @AfterEach
    void close() {
        events.close();
        timers.close();
    }

    @Test
    void a_member_that_is_held_back_need_not_come_back_for_the_condition() {
        assertThat(status.report("a", pool(false), new Outcome.HeldBack(BY))).isZero();
        assertThat(status.report("", pool(false), new Outcome.Summary(Set.of("a")))).as("the owner does")
                .isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void what_is_reported_if_it_lasts_is_not_reported_of_an_owner_that_is_being_deleted() {
        status.report("a", pool(true), new Outcome.NotWritten(BY, false));
        status.report("", pool(true), new Outcome.Summary(Set.of("a")));
        await().until(events::isIdle);
        assertThat(requests).isEmpty();

        status.report("b", pool(true), new Outcome.NotWritten(BY, true));
        status.report("", pool(true), new Outcome.Summary(Set.of("a", "b")));
        await().until(events::isIdle);
        assertThat(requests).as("what is certain is").containsExactly("/api/v1/namespaces/ns/events");
    }

    private static Target pool(boolean deleting) {
        return new Target(new Resource("cluster.x-k8s.io", "v1beta2", "machinepools", true),
                new Event.Regarding("cluster.x-k8s.io/v1beta2", "MachinePool", POOL, "uid", "1"), List.of(), deleting);
    }

    private final class Recording implements Transport {
        @Override
        public Response exchange(Request call) {
            requests.add(call.path().replaceFirst("\\?.*", ""));
            return new Response(201, Optional.empty(),
                    new ByteArrayInputStream("{\"metadata\":{\"resourceVersion\":\"2\"}}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
