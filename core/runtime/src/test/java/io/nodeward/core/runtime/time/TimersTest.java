package io.nodeward.core.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Of waiting, and of the time that stands still in tests of what waits. */
class TimersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final List<String> ran = new ArrayList<>();

    @Test
    void what_is_due_runs_in_order_and_at_its_time_and_nothing_before() {
        long start = timers.nanoTime();
        Instant noon = time.instant();
        timers.after(SECOND.multipliedBy(2), () -> ran.add("two at " + (timers.nanoTime() - start)));
        timers.after(SECOND, () -> {
            ran.add("one");
            timers.after(SECOND.dividedBy(2), () -> ran.add("one and a half"));
        });
        time.pass(SECOND.minusNanos(1));
        assertThat(ran).isEmpty();
        assertThat(time.waits()).containsExactly(Duration.ofNanos(1), SECOND.plusNanos(1));

        time.pass(SECOND.multipliedBy(5));
        assertThat(ran).containsExactly("one", "one and a half", "two at 2000000000");
        assertThat(timers.nanoTime() - start).isEqualTo(5_999_999_999L);
        assertThat(Duration.between(noon, time.instant())).hasNanos(5_999_999_999L);
    }

    @Test
    void what_comes_again_comes_until_it_is_cancelled() {
        ScheduledFuture<?> every = timers.every(SECOND, () -> ran.add("again"));
        time.pass(SECOND.multipliedBy(3));
        assertThat(ran).hasSize(3);
        assertThat(time.waits()).isEmpty();
        every.cancel(false);
        time.pass(SECOND.multipliedBy(3));
        assertThat(ran).hasSize(3);
    }

    @Test
    void after_the_end_nothing_runs_and_nothing_is_taken() {
        timers.after(SECOND, () -> ran.add("late"));
        timers.close();
        time.pass(SECOND.multipliedBy(2));

        assertThat(ran).isEmpty();
        assertThatThrownBy(() -> timers.after(SECOND, () -> ran.add("later")))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void a_sleep_ends_with_its_time() throws InterruptedException {
        Thread sleeper = Thread.ofVirtual().start(() -> sleep(new CountDownLatch(1)));
        await().until(() -> time.waits().equals(List.of(SECOND)));
        time.pass(SECOND);
        sleeper.join();
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void a_sleep_that_is_ended_or_interrupted_leaves_nothing_behind() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Thread ended = Thread.ofVirtual().start(() -> sleep(over));
        Thread interrupted = Thread.ofVirtual().start(() -> sleep(new CountDownLatch(1)));
        await().until(() -> time.waits().size() == 2);
        over.countDown();
        interrupted.interrupt();
        ended.join();
        interrupted.join();
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void closing_ends_a_sleep_as_an_interruption_does() throws Exception {
        FutureTask<Boolean> sleep = new FutureTask<>(this::isInterrupted);
        Thread.ofVirtual().start(sleep);
        await().until(() -> time.waits().equals(List.of(SECOND)));
        timers.close();
        assertThat(sleep.get(30, TimeUnit.SECONDS)).isTrue();
        assertThat(isInterrupted()).as("and so a sleep after it").isTrue();
    }

    private boolean isInterrupted() {
        try {
            timers.sleep(SECOND);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    @Test
    void nothing_stays_of_what_was_cancelled() {
        try (ScheduledThreadPoolExecutor scheduler = Timers.scheduler();
                Timers real = new Timers(scheduler, System::nanoTime)) {
            real.after(Duration.ofHours(1), () -> ran.add("late")).cancel(false);
            assertThat(scheduler.getQueue()).isEmpty();
        }
    }

    @Test
    void closing_ends_the_thread() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        try (Timers real = new Timers()) {
            real.after(Duration.ZERO, () -> thread.complete(Thread.currentThread()));
            assertThat(thread.get().getName()).isEqualTo("nodeward-timers");
        }
        thread.get().join();
    }

    @Test
    void in_a_running_process_a_sleep_takes_its_time() throws InterruptedException {
        try (Timers real = new Timers()) {
            long start = real.nanoTime();
            real.sleep(Duration.ofMillis(20));
            assertThat(Duration.ofNanos(real.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(20));
        }
    }

    private void sleep(CountDownLatch over) {
        try {
            timers.sleep(SECOND, over);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
