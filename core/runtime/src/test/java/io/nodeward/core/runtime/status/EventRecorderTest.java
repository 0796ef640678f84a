package io.nodeward.core.runtime.status;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.InputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class EventRecorderTest {
    private static final Event.Regarding CLUSTER =
            new Event.Regarding("v1", "Cluster", new ObjectKey("fleet", "c"), "uid", "1");
    /** More than the tries of a server that does not answer. */
    private static final int PAUSES = 10;

    @Test
    void after_a_write_that_ended_in_an_error_of_the_jvm_others_are_written() {
        AtomicInteger written = new AtomicInteger();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                if (written.getAndIncrement() == 0) {
                    throw new OutOfMemoryError("of the test");
                }
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                EventRecorder warnings =
                        new EventRecorder(new ApiServer(transport), InstantSource.system(), timers, true,
                                new SimpleMeterRegistry())) {
            warnings.warn(CLUSTER, "One", "a");
            warnings.warn(CLUSTER, "One", "b");
            await().until(() -> written.get() == 2);
        }
    }

    @Test
    void what_a_pause_holds_back_is_written_when_it_ends_however_often_it_comes() {
        BlockingQueue<Runnable> ends = new LinkedBlockingQueue<>();
        List<String> written = new CopyOnWriteArrayList<>();
        Transport transport = new Transport() {
            private int calls;

            @Override
            public Response exchange(Request call) {
                if (++calls <= PAUSES) {
                    throw ApiFailure.paused("POST " + call.path(), "paused", ends::add);
                }
                written.add(new String(call.body().orElseThrow(), UTF_8));
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                EventRecorder warnings = new EventRecorder(new ApiServer(transport), InstantSource.system(), timers,
                        true, new SimpleMeterRegistry())) {
            warnings.warn(CLUSTER, "One", "a");
            warnings.warn(CLUSTER, "Two", "b");
            for (int pauses = 1; pauses <= PAUSES; pauses++) {
                await().until(() -> !ends.isEmpty());
                assertThat(written).isEmpty();
                ends.remove().run();
            }
            await().until(warnings::isIdle);
            assertThat(written).hasSize(2);
            assertThat(written.getFirst()).contains("\"reason\":\"One\"");
        }
    }

    @Test
    void a_process_that_does_not_lead_drops_what_its_leader_writes() {
        List<Runnable> waiting = new CopyOnWriteArrayList<>();
        AtomicInteger refused = new AtomicInteger();
        List<String> written = new CopyOnWriteArrayList<>();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                if (refused.get() < 2) {
                    refused.incrementAndGet();
                    throw ApiFailure.notLeading("POST " + call.path(), "of the test", waiting::add);
                }
                written.add(new String(call.body().orElseThrow(), UTF_8));
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                EventRecorder events = new EventRecorder(new ApiServer(transport), InstantSource.system(), timers,
                        true, new SimpleMeterRegistry())) {
            events.warn(CLUSTER, "One", "a");
            events.warn(CLUSTER, "Two", "b");
            await().until(events::isIdle);
            events.warn(CLUSTER, "Three", "c");
            await().until(events::isIdle);
        }
        assertThat(written).hasSize(1).first().asString().contains("\"reason\":\"Three\"");
        assertThat(waiting).as("nothing of it is written when the process leads").isEmpty();
    }

    @Test
    void a_server_that_has_enough_is_asked_again_when_it_says() {
        ManualTime time = new ManualTime();
        AtomicInteger calls = new AtomicInteger();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                if (calls.incrementAndGet() == 1) {
                    throw ApiFailure.of(new Status(429, "TooManyRequests", "busy", 0), "POST", Optional.of("60"));
                }
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers(time, time::nanoTime);
                EventRecorder warnings = new EventRecorder(new ApiServer(transport), InstantSource.system(), timers,
                        true, new SimpleMeterRegistry())) {
            warnings.warn(CLUSTER, "One", "a");
            await().until(() -> !time.waits().isEmpty());
            assertThat(time.waits().getFirst()).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(61));
            time.passWait();
            await().until(warnings::isIdle);
            assertThat(calls).hasValue(2);
        }
    }

    @Test
    void an_event_is_pending_until_it_is_written() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                answered.join();
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                EventRecorder warnings = new EventRecorder(
                        new ApiServer(transport), InstantSource.system(), timers, true, registry)) {
            Gauge pending = registry.get("nodeward.events.pending").gauge();
            assertThat(pending.value()).isZero();
            warnings.warn(CLUSTER, "One", "a");
            warnings.warn(CLUSTER, "Two", "b");
            assertThat(pending.value()).isEqualTo(2);
            answered.complete(null);
            await().until(warnings::isIdle);
            assertThat(pending.value()).isZero();
        }
    }

    @Test
    void one_object_has_few_events_and_the_others_theirs() {
        ManualTime time = new ManualTime();
        List<String> written = new CopyOnWriteArrayList<>();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                if (new String(call.body().orElseThrow(), UTF_8).contains("said before")) {
                    throw ApiFailure.of(new Status(409, "AlreadyExists", "", 0), "POST", Optional.empty());
                }
                written.add(call.path());
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers(time, time::nanoTime);
                EventRecorder events = new EventRecorder(new ApiServer(transport), InstantSource.system(), timers,
                        true, new SimpleMeterRegistry())) {
            for (int hour : new int[]{0, 1, 2}) {
                for (int text = 0; text < 30; text++) {
                    events.warn(CLUSTER, "One", "said before");
                    events.warn(CLUSTER, "One", "refused " + hour + " " + text);
                }
                events.warn(cluster("other", "c"), "One", "refused " + hour);
                await().until(events::isIdle);
                time.pass(Duration.ofHours(1));
            }
        }
        assertThat(written).filteredOn(path -> path.contains("/fleet/")).hasSize(50);
        assertThat(written).filteredOn(path -> path.contains("/other/")).hasSize(3);
    }

    @Test
    void events_of_one_namespace_leave_room_for_others() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        CompletableFuture<Void> answered = new CompletableFuture<>();
        List<String> written = new CopyOnWriteArrayList<>();
        Transport transport = new Transport() {
            @Override
            public Response exchange(Request call) {
                answered.join();
                written.add(call.path());
                return new Response(201, Optional.empty(), InputStream.nullInputStream());
            }

            @Override
            public void close() {}
        };
        try (Timers timers = new Timers();
                EventRecorder events = new EventRecorder(
                        new ApiServer(transport), InstantSource.system(), timers, true, registry)) {
            for (int name = 0; name < 2_000; name++) {
                events.warn(cluster("flood", "c" + name), "One", "a");
            }
            events.warn(cluster("other", "c"), "One", "a");
            assertThat(registry.get("nodeward.events.pending").gauge().value()).isEqualTo(501);
            answered.complete(null);
            await().until(events::isIdle);
            assertThat(written).hasSize(501).last().asString().contains("/other/");
            events.warn(cluster("flood", "c"), "One", "a");
            await().until(events::isIdle);
            assertThat(written).as("there is room again").hasSize(502);
        }
    }

    private static Event.Regarding cluster(String namespace, String name) {
        return new Event.Regarding("v1", "Cluster", new ObjectKey(namespace, name), "uid", "1");
    }

    @Test
    void a_text_of_any_length_is_cut_in_the_log_as_in_the_event() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(EventRecorder.class);
        Level level = logger.getLevel();
        logger.setLevel(Level.WARN);
        log.start();
        logger.addAppender(log);
        try (Timers timers = new Timers();
                EventRecorder warnings = new EventRecorder(
                        new ApiServer(new Refusing()), InstantSource.system(), timers, false,
                        new SimpleMeterRegistry())) {
            warnings.warn(CLUSTER, "One", "a".repeat(1_000_000));
            warnings.warn(CLUSTER, "Two", "a".repeat(1022) + "😀".repeat(9));
        } finally {
            logger.detachAppender(log);
            logger.setLevel(level);
        }
        assertThat(log.list).extracting(ILoggingEvent::getFormattedMessage)
                .containsExactly("a".repeat(1023) + "…", "a".repeat(1022) + "…");
    }

    private static final class Refusing implements Transport {
        @Override
        public Response exchange(Request call) {
            throw new AssertionError("nothing is to be written: " + call.path());
        }

        @Override
        public void close() {}
    }
}
