package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** How long a failed key waits for its next try. The log has the delay, so that the test need not wait for it. */
class RetryTest {
    /** Of this test alone: the logger is everybody's. */
    private static final ObjectKey KEY = new ObjectKey("ns", "retried");
    private static final ApiFailure AWAY = failure(503, Optional.empty());

    private final Timers timers = new Timers();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ReconcileLoop.class);
    private final List<Long> pauses = new CopyOnWriteArrayList<>();
    private final Pauses appender = new Pauses();
    private final AtomicInteger tries = new AtomicInteger();

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
    }

    @AfterEach
    void stop() {
        logger.setLevel(null);
        logger.setAdditive(true);
        logger.detachAppender(appender);
        timers.close();
    }

    private ReconcileLoop<ObjectKey> started(Function<ObjectKey, Result> reconciler) {
        ReconcileLoop<ObjectKey> loop = new ReconcileLoop<>(
                "test", key -> "", 1, key -> key, reconciler, timers, new SimpleMeterRegistry());
        loop.start();
        loop.queue().add(KEY);
        return loop;
    }

    private static ApiFailure failure(int code, Optional<String> retryAfter) {
        return ApiFailure.of(new Status(code, "", "why", 0), "PATCH x", retryAfter);
    }

    @Test
    void each_failure_in_a_row_leaves_the_key_alone_for_longer() {
        started(key -> {
            throw AWAY;
        });
        await().until(() -> pauses.size() >= 4);
        assertThat(pauses.subList(0, 4)).isSorted().doesNotHaveDuplicates();
        assertThat(pauses.get(3)).as("doubled three times, jittered by a fifth").isBetween(640L, 960L);
    }

    @Test
    void a_success_ends_the_row() {
        ReconcileLoop<ObjectKey> loop = started(key -> {
            if (tries.incrementAndGet() == 3) {
                return Result.done();
            }
            throw AWAY;
        });
        await().until(() -> tries.get() == 3);
        loop.queue().add(KEY);
        await().until(() -> pauses.size() >= 3);
        assertThat(pauses.get(1)).isGreaterThan(120L);
        assertThat(pauses.get(2)).isLessThanOrEqualTo(120L);
    }

    @Test
    void a_pause_that_the_server_asks_for_is_made() {
        started(key -> {
            throw failure(429, Optional.of("60"));
        });
        await().until(() -> !pauses.isEmpty());
        assertThat(pauses.getFirst()).isGreaterThanOrEqualTo(48_000L);
    }

    private final class Pauses extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent line) {
            if (KEY.name().equals(line.getMDCPropertyMap().get("name"))) {
                pauses.add((Long) line.getArgumentArray()[1]);
            }
        }
    }
}
