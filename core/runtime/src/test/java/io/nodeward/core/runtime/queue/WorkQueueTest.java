package io.nodeward.core.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.core.runtime.metrics.QueueMeters;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WorkQueueTest {
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WorkQueue<String> queue =
            new WorkQueue<>(timers, new QueueMeters(registry, "test"), WorkQueueTest::lane, 2);

    /** {@code a} and {@code b} have a lane each; {@code slow-1} and {@code slow-2} share one. */
    private static String lane(String key) {
        return key.replaceFirst("-.*", "");
    }

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void a_key_waits_once_however_often_it_is_added() throws Exception {
        queue.add("a");
        queue.add("a");
        queue.add("b");

        assertThat(queue.take()).contains("a");
        assertThat(queue.take()).contains("b");
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
        assertThat(registry.get("workqueue.adds").counter().count()).isEqualTo(2);
    }

    @Test
    void who_listens_hears_of_each_key_that_waits() throws Exception {
        List<String> heard = new ArrayList<>();
        queue.whenAdded(heard::add);
        queue.add("a");
        queue.add("a");
        queue.addAfter("b", Duration.ofSeconds(1));
        assertThat(heard).containsExactly("a");
        time.pass(Duration.ofSeconds(1));
        assertThat(heard).containsExactly("a", "b");
    }

    @Test
    void a_key_added_while_worked_on_comes_back_after_it_is_done_and_not_before() throws Exception {
        queue.add("a");
        queue.take();
        queue.add("a");
        queue.add("b");

        assertThat(queue.take()).contains("b");
        queue.done("a");
        assertThat(queue.take()).contains("a");
    }

    @Test
    void a_key_is_never_worked_on_twice_at_once_and_no_add_is_lost() throws Exception {
        Map<String, AtomicBoolean> busy = new ConcurrentHashMap<>();
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        Map<String, AtomicInteger> wanted = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        for (int k = 0; k < 5; k++) {
            busy.put("k" + k, new AtomicBoolean());
            wanted.put("k" + k, new AtomicInteger());
        }
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int w = 0; w < 8; w++) {
                workers.submit(() -> {
                    for (Optional<String> key = queue.take(); key.isPresent(); key = queue.take()) {
                        if (!busy.get(key.get()).compareAndSet(false, true)) {
                            overlaps.incrementAndGet();
                        }
                        seen.put(key.get(), wanted.get(key.get()).get());
                        Thread.yield();
                        busy.get(key.get()).set(false);
                        queue.done(key.get());
                    }
                    return null;
                });
            }
            Future<?> adder = workers.submit(() -> {
                for (int i = 0; i < 20_000; i++) {
                    String key = "k" + i % 5;
                    wanted.get(key).incrementAndGet();
                    queue.add(key);
                }
            });
            adder.get();
            await().atMost(Duration.ofSeconds(20)).untilAsserted(
                    () -> wanted.forEach((key, count) -> assertThat(seen.get(key)).isEqualTo(count.get())));
            queue.stop();
        }
        assertThat(overlaps).hasValue(0);
    }

    @Test
    void a_delayed_key_comes_when_its_time_is_up_and_once() throws Exception {
        queue.addAfter("a", Duration.ofMillis(500));
        queue.addAfter("a", Duration.ofMillis(600));

        time.pass(Duration.ofMillis(499));
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
        time.pass(Duration.ofMillis(1));
        assertThat(queue.take()).contains("a");
        queue.done("a");
        time.pass(Duration.ofHours(1));
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
        assertThat(registry.get("workqueue.retries").counter().count()).isEqualTo(1);
    }

    @Test
    void of_two_delays_of_a_key_the_shorter_one_counts_though_it_comes_later() throws Exception {
        queue.addAfter("a", Duration.ofHours(1));
        queue.addAfter("a", Duration.ofSeconds(1));

        time.pass(Duration.ofSeconds(1));
        assertThat(queue.take()).contains("a");
        queue.done("a");
        time.pass(Duration.ofHours(1));
        assertThat(registry.get("workqueue.depth").gauge().value()).isZero();
    }

    @Test
    void a_key_whose_lane_could_not_be_told_when_it_was_due_can_be_delayed_again() throws Exception {
        AtomicBoolean told = new AtomicBoolean();
        WorkQueue<String> failing = new WorkQueue<>(timers, new QueueMeters(new SimpleMeterRegistry(), "test"), key -> {
            if (told.compareAndSet(false, true)) {
                throw new IllegalStateException("no lane");
            }
            return key;
        }, 2);
        failing.addAfter("a", Duration.ofSeconds(1));
        time.pass(Duration.ofSeconds(1));
        assertThat(told).isTrue();
        assertThat(failing.isIdle()).isTrue();
        failing.addAfter("a", Duration.ofSeconds(1));
        time.pass(Duration.ofSeconds(1));
        assertThat(failing.isIdle()).isFalse();
        assertThat(failing.take()).contains("a");
    }

    @Test
    void after_stop_nothing_is_handed_out_and_work_in_hand_can_be_waited_for() throws Exception {
        queue.add("a");
        queue.add("b");
        queue.take();
        queue.stop();

        assertThat(queue.take()).isEmpty();
        assertThat(queue.awaitIdle(Duration.ofMillis(20))).isFalse();
        queue.done("a");
        assertThat(queue.awaitIdle(Duration.ofSeconds(5))).isTrue();
        queue.add("c");
        assertThat(queue.take()).isEmpty();
    }

    @Test
    void it_is_idle_while_no_key_waits_or_is_in_hand() throws Exception {
        assertThat(queue.isIdle()).isTrue();
        queue.addAfter("for later", Duration.ofHours(1));
        assertThat(queue.isIdle()).isTrue();
        queue.add("a");
        assertThat(queue.isIdle()).isFalse();
        queue.take();
        assertThat(queue.isIdle()).isFalse();
        queue.add("a");
        queue.done("a");
        assertThat(queue.isIdle()).isFalse();
        queue.take();
        queue.done("a");
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void work_in_progress_shows_in_the_meters() throws Exception {
        queue.add("a");
        queue.take();
        time.pass(Duration.ofMillis(20));

        assertThat(registry.get("workqueue.longest.running.processor.seconds").gauge().value()).isEqualTo(0.02);
        queue.done("a");
        assertThat(registry.get("workqueue.longest.running.processor.seconds").gauge().value()).isZero();
        assertThat(registry.get("workqueue.work.duration").timer().count()).isEqualTo(1);
    }

    @Test
    void a_lane_that_does_not_get_on_holds_up_no_other() throws Exception {
        for (int i = 1; i <= 5; i++) {
            queue.add("slow-" + i);
        }
        queue.add("a");

        assertThat(queue.take()).contains("slow-1");
        assertThat(queue.take()).contains("slow-2");
        assertThat(queue.take()).contains("a");
        assertThat(registry.get("workqueue.depth").gauge().value()).isEqualTo(3);
    }

    @Test
    void a_full_lane_goes_on_in_order_as_its_keys_are_done() throws Exception {
        for (int i = 1; i <= 4; i++) {
            queue.add("slow-" + i);
        }
        queue.take();
        queue.take();
        queue.add("a");
        assertThat(queue.take()).contains("a");
        queue.add("slow-1"); // while being worked on
        queue.done("slow-1");
        queue.done("slow-2");

        assertThat(queue.take()).contains("slow-3");
        assertThat(queue.take()).contains("slow-4");
        queue.done("slow-3");
        assertThat(queue.take()).contains("slow-1");
    }

    @Test
    void a_key_that_changes_lane_while_parked_leaves_nobody_behind() throws Exception {
        Map<String, String> lanes = new ConcurrentHashMap<>(Map.of("x", "one", "y", "one", "z", "one"));
        WorkQueue<String> moving = new WorkQueue<>(timers, new QueueMeters(registry, "moving"), lanes::get, 1);
        moving.add("x");
        moving.take();
        moving.add("y");
        moving.add("z");
        CompletableFuture<Optional<String>> second = CompletableFuture.supplyAsync(() -> taken(moving));
        await().until(() -> registry.get("workqueue.depth").tag("name", "moving").gauge().value() == 2);
        lanes.put("y", "two");
        moving.done("x");
        assertThat(second.get(10, TimeUnit.SECONDS)).contains("y");
        moving.done("y");

        assertThat(CompletableFuture.supplyAsync(() -> taken(moving)).get(10, TimeUnit.SECONDS)).contains("z");
    }

    private static Optional<String> taken(WorkQueue<String> queue) {
        try {
            return queue.take();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
