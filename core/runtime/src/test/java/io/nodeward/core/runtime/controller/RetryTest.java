package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a failed key waits for its next try. */
class RetryTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "retried");
    private static final ApiFailure AWAY = failure(503, Optional.empty());

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final AtomicInteger tries = new AtomicInteger();
    private final List<ReconcileLoop<ObjectKey>> started = new ArrayList<>();

    /** The loops first, as the controller does: a key that is in hand may still ask for time. */
    @AfterEach
    void stop() throws InterruptedException {
        for (ReconcileLoop<ObjectKey> loop : started) {
            assertThat(loop.stop(Duration.ofSeconds(50))).isTrue();
        }
        timers.close();
    }

    private ReconcileLoop<ObjectKey> started(Function<ObjectKey, Result> reconciler) {
        return started(reconciler, loop -> {});
    }

    private ReconcileLoop<ObjectKey> started(
            Function<ObjectKey, Result> reconciler, Consumer<ReconcileLoop<ObjectKey>> more) {
        ReconcileLoop<ObjectKey> loop = new ReconcileLoop<>(
                "test", key -> "", 1, key -> key, reconciler, timers, new SimpleMeterRegistry());
        more.accept(loop);
        started.add(loop);
        loop.start();
        loop.queue().add(KEY);
        return loop;
    }

    private static ApiFailure failure(int code, Optional<String> retryAfter) {
        return ApiFailure.of(new Status(code, "", "why", 0), "PATCH x", retryAfter);
    }

    /** The pause that the loop makes next, in milliseconds. */
    private long pause(ReconcileLoop<ObjectKey> loop) {
        await().until(loop::isIdle);
        assertThat(time.waits()).hasSize(1);
        return time.waits().getFirst().toMillis();
    }

    @Test
    void each_failure_in_a_row_leaves_the_key_alone_for_longer() {
        ReconcileLoop<ObjectKey> loop = started(key -> {
            throw AWAY;
        });
        for (long expected = 100; expected <= 800; expected *= 2) {
            assertThat(pause(loop)).as("doubled each time, jittered by a fifth")
                    .isBetween(expected * 8 / 10, expected * 12 / 10);
            time.passWait();
        }
    }

    @Test
    void a_success_ends_the_row() {
        ReconcileLoop<ObjectKey> loop = started(key -> {
            if (tries.incrementAndGet() == 3) {
                return Result.done();
            }
            throw AWAY;
        });
        pause(loop);
        time.passWait();
        assertThat(pause(loop)).isGreaterThan(120L);
        time.passWait();
        await().until(loop::isIdle);
        assertThat(time.waits()).as("the third try succeeds").isEmpty();
        loop.queue().add(KEY);
        assertThat(pause(loop)).isLessThanOrEqualTo(120L);
    }

    /** It has to wait for something else between tries, which does not end the row; a success does. */
    @ParameterizedTest
    @ValueSource(ints = {400, 403, 422})
    void a_refusal_is_tried_again_after_long_pauses(int code) {
        ReconcileLoop<ObjectKey> loop = started(key -> switch (tries.incrementAndGet()) {
            case 2 -> Result.requeueAfter(Duration.ofMillis(10), "a token");
            case 4 -> Result.done();
            default -> throw failure(code, Optional.empty());
        }, each -> each.requeues().retryRefused());
        assertThat(pause(loop)).isBetween(24_000L, 36_000L);
        time.passWait();
        assertThat(pause(loop)).isEqualTo(10);
        time.passWait();
        assertThat(pause(loop)).isBetween(48_000L, 72_000L);
        time.passWait();
        await().until(loop::isIdle);
        assertThat(time.waits()).isEmpty();
        loop.queue().add(KEY);
        assertThat(pause(loop)).isBetween(24_000L, 36_000L);
    }

    @Test
    void a_controller_may_say_for_each_refusal_how_long_it_pauses() {
        List<Blocked> told = new CopyOnWriteArrayList<>();
        ReconcileLoop<ObjectKey> loop = started(key -> {
            throw failure(422, Optional.empty());
        }, each -> each.requeues().retryRefused((key, why) -> {
            told.add(why);
            return Duration.ofSeconds(told.size());
        }));
        assertThat(pause(loop)).isEqualTo(1_000);
        time.passWait();
        assertThat(pause(loop)).isEqualTo(2_000);
        assertThat(told).hasSize(2).first()
                .isEqualTo(new Blocked("Refused", "the request was refused: answer 422"));
    }

    @Test
    void a_pause_that_the_server_asks_for_is_made() {
        ReconcileLoop<ObjectKey> loop = started(key -> {
            tries.incrementAndGet();
            throw failure(429, Optional.of("60"));
        });
        assertThat(pause(loop)).isGreaterThanOrEqualTo(48_000L);
        time.pass(Duration.ofSeconds(48).minusNanos(1));
        assertThat(tries).hasValue(1);
    }
}
