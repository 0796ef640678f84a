package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A thread that waits for an answer is interrupted, so that what is missing fails a test and does not hang it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class ApiReaderTest {
    private static final int AT_ONCE = 8;

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<String, Map<String, String>> server = namespace -> Map.of();
    private final ManualTime time = new ManualTime();
    private final ApiReader<String, Map<String, String>> namespaces = reader(Duration.ZERO);

    private ApiReader<String, Map<String, String>> reader(Duration wait) {
        return new ApiReader<>("labels of namespace", AT_ONCE, wait, namespace -> {
            asked.add(namespace);
            return server.apply(namespace);
        }, new Timers(time, time::nanoTime));
    }

    @Test
    void an_answer_holds_for_a_moment_be_there_a_namespace_or_not() {
        assertThat(namespaces.read("gone")).isEmpty();
        server = namespace -> Map.of("team", "a");
        assertThat(namespaces.read("new")).containsEntry("team", "a");
        time.pass(ApiReader.KEPT.minusNanos(1));
        assertThat(namespaces.read("gone")).isEmpty();
        assertThat(namespaces.read("new")).containsEntry("team", "a");
        assertThat(asked).containsExactly("gone", "new");
        time.pass(Duration.ofNanos(1));
        assertThat(namespaces.read("gone")).as("it is there now").containsEntry("team", "a");
        assertThat(asked).containsExactly("gone", "new", "gone");
    }

    @Test
    void who_asks_while_the_server_is_asked_waits_for_its_answer() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of("team", "a");
        };
        try (ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Map<String, String>> first = pods.submit(() -> namespaces.read("n"));
            await(sent);
            List<Future<Map<String, String>>> others =
                    IntStream.range(0, AT_ONCE - 1)
                            .mapToObj(i -> pods.submit(() -> namespaces.read("n"))).toList();
            answered.countDown();
            assertThat(first.get()).containsEntry("team", "a");
            for (Future<Map<String, String>> other : others) {
                assertThat(other.get()).containsEntry("team", "a");
            }
        }
        assertThat(asked).containsExactly("n");
    }

    @Test
    void what_is_read_anew_was_asked_for_after_the_call_by_one_request_for_all_who_wait() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of("asked", String.valueOf(asked.size()));
        };
        try (ExecutorService claims = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Map<String, String>> first = claims.submit(() -> namespaces.readAnew("n", ApiReader.DEADLINE));
            await(sent);
            List<Future<Map<String, String>>> others = IntStream.range(0, AT_ONCE - 1)
                    .mapToObj(i -> claims.submit(() -> namespaces.readAnew("n", ApiReader.DEADLINE))).toList();
            answered.countDown();
            assertThat(first.get()).containsEntry("asked", "1");
            for (Future<Map<String, String>> other : others) {
                assertThat(Integer.parseInt(other.get().get("asked"))).isGreaterThan(1);
            }
        }
        assertThat(namespaces.read("n")).as("an answer that is kept").containsEntry("asked", "" + asked.size());
        int before = asked.size();
        namespaces.readAnew("n", ApiReader.DEADLINE);
        assertThat(asked).hasSize(before + 1);
    }

    @Test
    void one_request_at_a_time_reads_a_name_anew_and_each_call_has_its_deadline() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of("asked", String.valueOf(asked.size()));
        };
        FutureTask<Map<String, String>> first = reading(ApiReader.DEADLINE);
        await(sent);
        time.pass(ApiReader.DEADLINE);
        assertThat(failure(first)).as("it follows no other").hasMessageContaining("in time");
        FutureTask<Map<String, String>> second = reading(ApiReader.DEADLINE);
        time.pass(ApiReader.DEADLINE.minusMillis(1));
        FutureTask<Map<String, String>> third = reading(ApiReader.DEADLINE);
        FutureTask<Map<String, String>> late = reading(Duration.ofMillis(1));
        time.pass(Duration.ofMillis(1));
        assertThat(failure(second)).as("its time has that of the request before").hasMessageContaining("in time");
        assertThat(failure(late)).as("it had no more time").hasMessageContaining("in time");
        assertThat(asked).as("the request before has not ended").containsExactly("n");
        assertThat(third).as("its time has begun later").isNotDone();
        answered.countDown();
        assertThat(third.get()).containsEntry("asked", "2");
    }

    /** Returns a read that waits for its answer. */
    private FutureTask<Map<String, String>> reading(Duration within) {
        FutureTask<Map<String, String>> reading = new FutureTask<>(() -> namespaces.readAnew("n", within));
        Thread waiting = Thread.startVirtualThread(reading);
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        return reading;
    }

    @Test
    void a_server_that_is_silent_keeps_nobody_waiting_beyond_the_deadline_and_no_others_at_all() throws Exception {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of("team", "late");
        };
        try (ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Map<String, String>> first = pods.submit(() -> namespaces.read("silent"));
            await(sent);
            Future<Map<String, String>> other = pods.submit(() -> namespaces.read("silent"));
            server = namespace -> Map.of("team", "a");
            assertThat(namespaces.read("other")).as("meanwhile").containsEntry("team", "a");
            time.pass(ApiReader.DEADLINE);
            assertThat(failure(other)).hasMessageContaining("labels of namespace silent");
            assertThat(failure(first)).as("who asked first").hasMessageContaining("labels of namespace silent");
            assertThatIllegalStateException().as("the failure is kept").isThrownBy(() -> namespaces.read("silent"));
            assertThat(asked).containsExactly("silent", "other");
            time.pass(ApiReader.KEPT);
            assertThat(namespaces.read("silent")).as("asked again").containsEntry("team", "a");
            answered.countDown();
        }
    }

    @Test
    void so_many_reviews_wait_and_the_next_is_told_at_once() throws Exception {
        CountDownLatch sent = new CountDownLatch(AT_ONCE);
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(namespaces.read("known")).isEmpty();
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of();
        };
        try (ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, AT_ONCE).forEach(i -> pods.submit(() -> namespaces.read("n" + i)));
            await(sent);
            assertThatIllegalStateException().isThrownBy(() -> namespaces.read("next"))
                    .withMessageStartingWith("too many reviews wait");
            assertThat(namespaces.read("known")).as("nobody has to be asked").isEmpty();
            answered.countDown();
        }
        assertThat(namespaces.read("next")).as("they have gone").isEmpty();
    }

    @Test
    void a_review_waits_for_its_turn_while_the_server_answers_others() throws Exception {
        ApiReader<String, Map<String, String>> patient = reader(Duration.ofSeconds(50));
        CountDownLatch sent = new CountDownLatch(AT_ONCE);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of("team", "a");
        };
        IntStream.range(0, AT_ONCE).forEach(i -> Thread.startVirtualThread(() -> patient.read("n" + i)));
        await(sent);
        FutureTask<Map<String, String>> next = new FutureTask<>(() -> patient.read("next"));
        Thread review = Thread.startVirtualThread(next);
        while (review.getState() != Thread.State.TIMED_WAITING && !next.isDone()) {
            Thread.onSpinWait();
        }
        answered.countDown();
        assertThat(next.get()).containsEntry("team", "a");
    }

    @Test
    void requests_that_outlast_the_deadline_are_bounded_too() throws Exception {
        CountDownLatch sent = new CountDownLatch(AT_ONCE);
        CountDownLatch answered = new CountDownLatch(1);
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of();
        };
        try (ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Map<String, String>>> reviews = IntStream.range(0, AT_ONCE)
                    .mapToObj(i -> pods.submit(() -> namespaces.read("n" + i))).toList();
            await(sent);
            time.pass(ApiReader.DEADLINE);
            for (Future<Map<String, String>> review : reviews) {
                assertThat(failure(review)).hasMessageContaining("did not send");
            }
        }
        assertThatIllegalStateException().isThrownBy(() -> namespaces.read("next"))
                .withMessageStartingWith("too many requests wait");
        assertThat(asked).hasSize(AT_ONCE);
        answered.countDown();
    }

    @Test
    void a_failure_is_told_to_all_who_ask_in_the_same_moment() {
        server = namespace -> {
            throw new IllegalStateException("planted");
        };
        assertThatIllegalStateException().isThrownBy(() -> namespaces.read("n")).withMessage("planted");
        server = namespace -> Map.of("team", "a");
        assertThatIllegalStateException().isThrownBy(() -> namespaces.read("n")).withMessage("planted");
        assertThat(namespaces.readOr("n", Map.of("team", "none"))).containsEntry("team", "none");
        assertThat(asked).hasSize(1);
        assertThat(namespaces.readAnewOr("n", ApiReader.DEADLINE, Map.of("team", "none"))).containsEntry("team", "a");
        server = namespace -> {
            throw new IllegalStateException("planted");
        };
        assertThat(namespaces.readAnewOr("n", ApiReader.DEADLINE, Map.of("team", "none"))).containsEntry("team",
                "none");
        assertThat(asked).hasSize(3);
        server = namespace -> Map.of("team", "a");
        time.pass(ApiReader.KEPT);
        assertThat(namespaces.read("n")).containsEntry("team", "a");
        assertThat(namespaces.readOr("n", Map.of())).containsEntry("team", "a");
    }

    @Test
    void so_many_answers_are_kept_at_most_and_old_ones_go_first() {
        IntStream.range(0, ApiReader.MOST).forEach(i -> namespaces.read("n" + i));
        namespaces.read("n0");
        assertThat(asked).hasSize(ApiReader.MOST);
        time.pass(ApiReader.KEPT);
        namespaces.read("new");
        namespaces.read("new");
        assertThat(asked).as("the others were old").hasSize(ApiReader.MOST + 1);
        IntStream.range(0, ApiReader.MOST).forEach(i -> namespaces.read("m" + i));
        namespaces.read("new");
        assertThat(asked).as("too many at once").hasSize(2 * ApiReader.MOST + 2);
    }

    private static Throwable failure(Future<?> review) {
        return catchThrowableOfType(ExecutionException.class, review::get).getCause();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
