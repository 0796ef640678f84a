package io.nodeward.controller.dedicated;

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
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** A thread that waits for an answer is interrupted, so that what is missing fails a test and does not hang it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = ThreadMode.SEPARATE_THREAD)
class UnseenNamespacesTest {
    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private volatile Function<String, Map<String, String>> server = namespace -> Map.of();
    private final ManualTime time = new ManualTime();
    private final UnseenNamespaces namespaces = new UnseenNamespaces(namespace -> {
        asked.add(namespace);
        return server.apply(namespace);
    }, new Timers(time, time::nanoTime));

    @Test
    void an_answer_holds_for_a_moment_be_there_a_namespace_or_not() {
        assertThat(namespaces.labels("gone")).isEmpty();
        server = namespace -> Map.of("team", "a");
        assertThat(namespaces.labels("new")).containsEntry("team", "a");
        time.pass(UnseenNamespaces.KEPT.minusNanos(1));
        assertThat(namespaces.labels("gone")).isEmpty();
        assertThat(namespaces.labels("new")).containsEntry("team", "a");
        assertThat(asked).containsExactly("gone", "new");
        time.pass(Duration.ofNanos(1));
        assertThat(namespaces.labels("gone")).as("it is there now").containsEntry("team", "a");
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
            Future<Map<String, String>> first = pods.submit(() -> namespaces.labels("n"));
            await(sent);
            List<Future<Map<String, String>>> others =
                    IntStream.range(0, UnseenNamespaces.AT_ONCE - 1)
                            .mapToObj(i -> pods.submit(() -> namespaces.labels("n"))).toList();
            answered.countDown();
            assertThat(first.get()).containsEntry("team", "a");
            for (Future<Map<String, String>> other : others) {
                assertThat(other.get()).containsEntry("team", "a");
            }
        }
        assertThat(asked).containsExactly("n");
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
            Future<Map<String, String>> first = pods.submit(() -> namespaces.labels("silent"));
            await(sent);
            Future<Map<String, String>> other = pods.submit(() -> namespaces.labels("silent"));
            server = namespace -> Map.of("team", "a");
            assertThat(namespaces.labels("other")).as("meanwhile").containsEntry("team", "a");
            time.pass(UnseenNamespaces.DEADLINE);
            assertThat(failure(other)).hasMessageContaining("labels of namespace silent");
            assertThatIllegalStateException().as("the failure is kept").isThrownBy(() -> namespaces.labels("silent"));
            assertThat(asked).containsExactly("silent", "other");
            time.pass(UnseenNamespaces.KEPT);
            assertThat(namespaces.labels("silent")).as("asked again").containsEntry("team", "a");
            answered.countDown();
            assertThat(failure(first)).as("too late").hasMessageContaining("labels of namespace silent");
        }
    }

    @Test
    void so_many_reviews_wait_and_the_next_is_told_at_once() throws Exception {
        CountDownLatch sent = new CountDownLatch(UnseenNamespaces.AT_ONCE);
        CountDownLatch answered = new CountDownLatch(1);
        assertThat(namespaces.labels("known")).isEmpty();
        server = namespace -> {
            sent.countDown();
            await(answered);
            return Map.of();
        };
        try (ExecutorService pods = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, UnseenNamespaces.AT_ONCE).forEach(i -> pods.submit(() -> namespaces.labels("n" + i)));
            await(sent);
            assertThatIllegalStateException().isThrownBy(() -> namespaces.labels("next"))
                    .withMessageStartingWith("too many reviews wait");
            assertThat(namespaces.labels("known")).as("nobody has to be asked").isEmpty();
            answered.countDown();
        }
        assertThat(namespaces.labels("next")).as("they have gone").isEmpty();
    }

    @Test
    void a_failure_is_told_to_all_who_ask_in_the_same_moment() {
        server = namespace -> {
            throw new IllegalStateException("planted");
        };
        assertThatIllegalStateException().isThrownBy(() -> namespaces.labels("n")).withMessage("planted");
        server = namespace -> Map.of("team", "a");
        assertThatIllegalStateException().isThrownBy(() -> namespaces.labels("n")).withMessage("planted");
        assertThat(asked).hasSize(1);
        time.pass(UnseenNamespaces.KEPT);
        assertThat(namespaces.labels("n")).containsEntry("team", "a");
    }

    @Test
    void so_many_answers_are_kept_at_most_and_old_ones_go_first() {
        IntStream.range(0, UnseenNamespaces.MOST).forEach(i -> namespaces.labels("n" + i));
        namespaces.labels("n0");
        assertThat(asked).hasSize(UnseenNamespaces.MOST);
        time.pass(UnseenNamespaces.KEPT);
        namespaces.labels("new");
        namespaces.labels("new");
        assertThat(asked).as("the others were old").hasSize(UnseenNamespaces.MOST + 1);
        IntStream.range(0, UnseenNamespaces.MOST).forEach(i -> namespaces.labels("m" + i));
        namespaces.labels("new");
        assertThat(asked).as("too many at once").hasSize(2 * UnseenNamespaces.MOST + 2);
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
