package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.ByteArrayInputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReportedEventsTest {
    private static final Event.Regarding MACHINE =
            new Event.Regarding("cluster.x-k8s.io/v1beta2", "Machine", new ObjectKey("ns", "m"), "uid", "1");
    private static final Map<String, String> WRONG = Map.of("NodeRejected", "why");

    private final AtomicInteger written = new AtomicInteger();
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final EventRecorder recorder = new EventRecorder(
            new ApiServer(new Counting()), time, timers, true, new SimpleMeterRegistry());
    private final ReportedEvents<String> events = new ReportedEvents<>(recorder);

    @AfterEach
    void close() {
        recorder.close();
        timers.close();
    }

    @Test
    void what_is_still_wrong_is_no_news() {
        events.report("m", MACHINE, WRONG);
        events.report("m", MACHINE, WRONG);
        assertThat(written()).isEqualTo(1);
        assertThat(events.size()).isEqualTo(1);
    }

    @Test
    void what_is_over_is_news_when_it_comes_back() {
        events.report("m", MACHINE, WRONG);
        events.report("m", MACHINE, Map.of());
        assertThat(events.size()).isZero();
        events.report("m", MACHINE, WRONG);
        events.end("m");
        events.report("m", MACHINE, WRONG);
        assertThat(written()).isEqualTo(3);
    }

    @Test
    void what_is_wrong_with_another_object_of_the_name_is_news() {
        events.report("m", MACHINE, WRONG);
        events.report("m", new Event.Regarding(MACHINE.apiVersion(), MACHINE.kind(), MACHINE.key(), "other", "2"),
                WRONG);
        assertThat(written()).isEqualTo(2);
    }

    @Test
    void the_end_of_what_another_reporter_has_reported_is_not_its_to_tell() {
        ReportedEvents<String> other = new ReportedEvents<>(recorder);
        events.report("m", MACHINE, WRONG);
        other.end("m");
        other.report("m", MACHINE, Map.of());
        events.report("m", MACHINE, WRONG);
        assertThat(written()).isEqualTo(1);
    }

    private int written() {
        await().until(recorder::isIdle);
        return written.get();
    }

    private final class Counting implements Transport {
        @Override
        public Response exchange(Request call) {
            written.incrementAndGet();
            return new Response(201, Optional.empty(), new ByteArrayInputStream("{}".getBytes()));
        }

        @Override
        public void close() {}
    }
}
