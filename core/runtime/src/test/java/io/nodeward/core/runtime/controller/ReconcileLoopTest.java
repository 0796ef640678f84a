package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReconcileLoopTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "a");

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<ObjectKey> seen = new CopyOnWriteArrayList<>();
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
        ReconcileLoop<ObjectKey> loop =
                new ReconcileLoop<>("test", key -> "", 2, key -> key, reconciler, timers, registry);
        begin(loop);
        return loop;
    }

    private void begin(ReconcileLoop<ObjectKey> loop) {
        started.add(loop);
        loop.start();
        loop.queue().add(KEY);
    }

    private static void awaitIdle(ReconcileLoop<ObjectKey> loop) {
        await().atMost(Duration.ofSeconds(50)).pollInterval(Duration.ofMillis(2)).until(loop::isIdle);
    }

    /** Through with everything before and after the one pause that somebody waits out. */
    private void passPause(ReconcileLoop<ObjectKey> loop) {
        awaitIdle(loop);
        assertThat(time.waits()).hasSize(1);
        time.pass(time.waits().getFirst());
        awaitIdle(loop);
    }

    private Result failingOnce(RuntimeException failure, ObjectKey key) {
        seen.add(key);
        if (seen.size() == 1) {
            throw failure;
        }
        return Result.done();
    }

    private static ApiFailure failure(int code, String reason) {
        return ApiFailure.of(new Status(code, reason, "why", 0), "PATCH x", Optional.empty());
    }

    @Test
    void a_failure_that_may_pass_is_tried_again() {
        for (ApiFailure failure : List.of(
                failure(409, "Conflict"), failure(409, "AlreadyExists"), failure(410, "Expired"), failure(429, ""),
                failure(401, ""), failure(403, ""), failure(404, ""), failure(503, ""))) {
            seen.clear();
            ReconcileLoop<ObjectKey> loop = started(key -> failingOnce(failure, key));
            awaitIdle(loop);
            assertThat(seen).as(failure.toString()).hasSize(1);
            assertThat(time.waits()).as(failure.toString()).singleElement().satisfies(pause -> assertThat(pause)
                    .isBetween(Duration.ofMillis(80), Duration.ofMillis(120)));
            passPause(loop);
            assertThat(seen).as(failure.toString()).hasSize(2);
        }
    }

    @Test
    void each_further_failure_of_a_key_is_waited_out_longer() {
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            throw failure(503, "");
        });
        for (int failures = 1; failures <= 15; failures++) {
            awaitIdle(loop);
            assertThat(seen).hasSize(failures);
            long expected = Math.min(100L << failures - 1, 120_000);
            assertThat(time.waits()).singleElement().satisfies(pause -> assertThat(pause.toMillis())
                    .isBetween(expected * 8 / 10, expected * 12 / 10));
            time.pass(time.waits().getFirst().minusNanos(1));
            assertThat(loop.isIdle()).isTrue();
            time.pass(Duration.ofNanos(1));
        }
    }

    @Test
    void what_is_held_back_by_a_pause_waits_for_its_end_and_counts_as_no_error() {
        List<Runnable> ends = new ArrayList<>();
        ApiFailure paused = ApiFailure.paused("PATCH x", "paused", ends::add);
        ObjectKey other = new ObjectKey("ns", "b");
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            if (seen.size() <= 3) {
                throw paused;
            }
            return Result.done();
        });
        loop.queue().add(other);
        awaitIdle(loop);
        loop.queue().add(KEY);
        awaitIdle(loop);
        assertThat(time.waits()).isEmpty();
        assertThat(seen).containsExactlyInAnyOrder(KEY, other, KEY);

        assertThat(ends).hasSize(1);
        ends.removeFirst().run();
        awaitIdle(loop);
        assertThat(seen.subList(3, seen.size())).containsExactlyInAnyOrder(KEY, other);
        assertThat(results("requeue")).isEqualTo(3);
        assertThat(results("error")).isZero();
        assertThat(registry.get("controller.runtime.reconcile.errors").counter().count()).isZero();
    }

    /** A key that waits for the leadership must not keep one from the end of a pause. */
    @Test
    void what_is_held_back_for_two_reasons_waits_for_the_end_of_its_own() {
        List<Runnable> starts = new ArrayList<>();
        List<Runnable> ends = new ArrayList<>();
        ObjectKey other = new ObjectKey("ns", "b");
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            throw key.equals(other)
                    ? ApiFailure.notLeading("PATCH x", "standby", starts::add)
                    : ApiFailure.paused("PATCH x", "paused", ends::add);
        });
        awaitIdle(loop);
        loop.queue().add(other);
        awaitIdle(loop);
        assertThat(seen).containsExactly(KEY, other);
        ends.removeFirst().run();
        awaitIdle(loop);
        assertThat(seen).containsExactly(KEY, other, KEY);
        starts.removeFirst().run();
        awaitIdle(loop);
        assertThat(seen).containsExactly(KEY, other, KEY, other);
    }

    @Test
    void a_pause_that_ends_and_comes_again_holds_a_key_again() {
        List<Runnable> ends = new ArrayList<>();
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            throw ApiFailure.paused("PATCH x", "paused", ends::add);
        });
        for (int pauses = 1; pauses <= 3; pauses++) {
            awaitIdle(loop);
            assertThat(seen).hasSize(pauses);
            assertThat(ends).hasSize(1);
            ends.removeFirst().run();
        }
    }

    private double results(String result) {
        return registry.get("controller.runtime.reconcile").tag("result", result).counter().count();
    }

    @Test
    void what_would_be_refused_again_waits_for_a_change() {
        for (ApiFailure failure : List.of(failure(422, "Invalid"), failure(404, "NotFound"))) {
            seen.clear();
            ReconcileLoop<ObjectKey> loop = started(key -> failingOnce(failure, key));
            awaitIdle(loop);
            assertThat(time.waits()).as(failure.toString()).isEmpty();
            time.pass(Duration.ofHours(1));
            awaitIdle(loop);
            assertThat(seen).as(failure.toString()).hasSize(1);
            loop.queue().add(KEY);
            awaitIdle(loop);
            assertThat(seen).hasSize(2);
        }
    }

    @Test
    void a_fault_of_a_reconciler_ends_no_worker_and_no_other_key() {
        ObjectKey other = new ObjectKey("ns", "b");
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            if (key.equals(KEY)) {
                throw new IllegalStateException("a fault");
            }
            return Result.done();
        });
        loop.queue().add(other);
        for (int again = 0; again < 3; again++) {
            passPause(loop);
        }

        assertThat(seen).containsOnlyOnce(other).filteredOn(KEY::equals).hasSize(4);
        assertThat(registry.get("controller.runtime.reconcile.panics").counter().count()).isEqualTo(4);
    }

    @Test
    void a_key_whose_object_cannot_be_told_for_logs_is_tried_again_as_any_other() {
        AtomicInteger asked = new AtomicInteger();
        ReconcileLoop<ObjectKey> loop = new ReconcileLoop<>("named", key -> "", 1, key -> {
            if (asked.incrementAndGet() == 1) {
                throw new IllegalStateException("planted");
            }
            return key;
        }, key -> {
            seen.add(key);
            return Result.done();
        }, timers, registry);
        begin(loop);
        passPause(loop);

        assertThat(seen).containsExactly(KEY);
        assertThat(registry.get("controller.runtime.reconcile.panics").counter().count()).isEqualTo(1);
    }

    @Test
    void a_second_start_changes_nothing() {
        AtomicInteger starts = new AtomicInteger();
        ReconcileLoop<ObjectKey> loop = new ReconcileLoop<>("twice", key -> "", 1, key -> key, key -> {
            seen.add(key);
            return Result.done();
        }, timers, registry);
        loop.watch(queue -> starts.incrementAndGet());
        loop.start();
        begin(loop);
        awaitIdle(loop);

        assertThat(starts).hasValue(1);
        assertThat(seen).containsExactly(KEY);
    }

    @Test
    void stop_finishes_what_is_in_hand_and_begins_nothing_else() throws Exception {
        CountDownLatch inHand = new CountDownLatch(2); // as many as are worked on at a time
        CountDownLatch goOn = new CountDownLatch(1);
        List<ObjectKey> finished = new CopyOnWriteArrayList<>();
        ObjectKey second = new ObjectKey("ns", "second");
        ReconcileLoop<ObjectKey> loop = started(key -> {
            inHand.countDown();
            try {
                goOn.await();
            } catch (InterruptedException e) {
                return Result.waiting("nothing: interrupted");
            }
            finished.add(key);
            return Result.done();
        });
        loop.queue().add(second);
        inHand.await();
        loop.queue().add(new ObjectKey("ns", "later"));
        loop.queue().add(KEY); // while in hand

        assertThat(loop.stop(Duration.ofMillis(50))).isFalse();
        goOn.countDown();
        assertThat(loop.stop(Duration.ofSeconds(5))).isTrue();
        assertThat(finished).containsExactlyInAnyOrder(KEY, second);
    }

    @Test
    void an_error_of_a_reconciler_ends_no_worker() {
        ObjectKey other = new ObjectKey("ns", "b");
        ReconcileLoop<ObjectKey> loop = started(key -> {
            seen.add(key);
            if (key.equals(KEY)) {
                throw new StackOverflowError();
            }
            return Result.done();
        });
        passPause(loop);
        passPause(loop);
        assertThat(seen).as("more than are worked on at a time").hasSize(3);
        loop.queue().add(other);
        awaitIdle(loop);

        assertThat(seen).contains(other);
    }

    @Test
    void results_are_counted_under_the_names_of_controller_runtime() {
        ReconcileLoop<ObjectKey> loop = started(key -> failingOnce(failure(503, ""), key));
        passPause(loop);

        assertThat(registry.get("controller.runtime.reconcile")
                .tag("controller", "test")
                .tag("result", "success")
                .counter()
                .count())
                .isEqualTo(1);
        assertThat(registry.get("controller.runtime.reconcile.errors").counter().count()).isEqualTo(1);
        assertThat(registry.get("controller.runtime.max.concurrent.reconciles").gauge().value()).isEqualTo(2);
    }
}
