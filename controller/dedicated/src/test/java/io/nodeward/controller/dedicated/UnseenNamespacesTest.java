package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnseenNamespacesTest {
    private final List<String> asked = new ArrayList<>();
    private Function<String, Map<String, String>> server = namespace -> Map.of();
    private long now;
    private final UnseenNamespaces namespaces = new UnseenNamespaces(namespace -> {
        asked.add(namespace);
        return server.apply(namespace);
    }, () -> now);

    @Test
    void an_answer_holds_for_a_moment_be_there_a_namespace_or_not() {
        assertThat(namespaces.labels("gone")).isEmpty();
        server = namespace -> Map.of("team", "a");
        assertThat(namespaces.labels("new")).containsEntry("team", "a");
        now += UnseenNamespaces.KEPT.toNanos() - 1;
        assertThat(namespaces.labels("gone")).isEmpty();
        assertThat(namespaces.labels("new")).containsEntry("team", "a");
        assertThat(asked).containsExactly("gone", "new");
        now += 1;
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
                    IntStream.range(0, 15).mapToObj(i -> pods.submit(() -> namespaces.labels("n"))).toList();
            answered.countDown();
            assertThat(first.get()).containsEntry("team", "a");
            for (Future<Map<String, String>> other : others) {
                assertThat(other.get()).containsEntry("team", "a");
            }
        }
        assertThat(asked).containsExactly("n");
    }

    @Test
    void a_failure_is_told_and_not_kept() {
        server = namespace -> {
            throw new IllegalStateException("planted");
        };
        assertThatIllegalStateException().isThrownBy(() -> namespaces.labels("n")).withMessage("planted");
        server = namespace -> Map.of("team", "a");
        assertThat(namespaces.labels("n")).containsEntry("team", "a");
        assertThat(asked).hasSize(2);
    }

    @Test
    void so_many_answers_are_kept_at_most_and_old_ones_go_first() {
        IntStream.range(0, UnseenNamespaces.MOST).forEach(i -> namespaces.labels("n" + i));
        namespaces.labels("n0");
        assertThat(asked).hasSize(UnseenNamespaces.MOST);
        now += UnseenNamespaces.KEPT.toNanos();
        namespaces.labels("new");
        namespaces.labels("new");
        assertThat(asked).as("the others were old").hasSize(UnseenNamespaces.MOST + 1);
        IntStream.range(0, UnseenNamespaces.MOST).forEach(i -> namespaces.labels("m" + i));
        namespaces.labels("new");
        assertThat(asked).as("too many at once").hasSize(2 * UnseenNamespaces.MOST + 2);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
