package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

abstract class SlowTopic extends TransportTopic {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void silence_is_unreachable_after_the_calls_own_timeout() throws IOException {
        FaultyServer server = faulty(Replying.silence());
        Transport transport = transport(server.kubeconfig("t"));
        for (Request call : new Request[]{get("/version", SOON), streaming(SOON)}) {
            assertThatThrownBy(() -> transport.exchange(call))
                    .isInstanceOfSatisfying(ApiFailure.Unreachable.class, failure -> {
                        assertThat(failure.status().code()).isZero();
                        assertThat(failure.status().message()).isNotBlank();
                    });
        }
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void the_timeout_of_a_streaming_call_ends_with_the_head_so_that_a_watch_may_be_silent() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        FaultyServer server = faulty(Replying.inTwoParts("early ", goOn, "late"));
        Begun begun = begun(transport(server.kubeconfig("t")), SlowTopic::streaming);
        Response answer = begun.answer();
        assertThat(new String(answer.body().readNBytes(6))).isEqualTo("early ");
        Thread.sleep(begun.timeout().plusMillis(500));
        goOn.countDown();
        assertThat(text(answer)).isEqualTo("late");
    }

    // A server that dies between the head and the end of an answer must not hold its caller for ever.
    @Test
    void the_timeout_of_any_other_call_ends_with_its_last_byte() throws Exception {
        Map<String, FaultyServer.Reply> replies =
                Map.of("/unfinished", Replying.openEnded("{\"kind\":"), "/version", Replying.with(200, "{}"));
        FaultyServer server = faulty((request, out) -> Objects.requireNonNull(replies.get(request.target()))
                .answer(request, out));
        Transport transport = transport(server.kubeconfig("t"));
        Begun begun = begun(transport, timeout -> get("/unfinished", timeout));
        assertThat(Waiting.reading(begun.answer()).failure()).isInstanceOf(IOException.class);
        assertThat(text(closing(transport.exchange(get("/version", PATIENCE))))).isEqualTo("{}");
    }

    @Test
    void the_time_limit_that_a_caller_sets_ends_every_answer_that_is_read_whole() throws IOException {
        FaultyServer silent = faulty(Replying.silence());
        FaultyServer unfinished = faulty(Replying.openEnded("{\"kind\":"));
        for (FaultyServer server : List.of(silent, unfinished)) {
            ApiServer api = new ApiServer(transport(server.kubeconfig("t")), SOON);
            assertThatThrownBy(() -> api.get("/version")).isInstanceOf(ApiFailure.Unreachable.class);
            assertThatThrownBy(() -> api.page(NODES, "", ListOptions.page("", 0, "")))
                    .isInstanceOf(ApiFailure.Unreachable.class);
            assertThatThrownBy(() -> api.patch(NODES, nobody(), merge("{}"), PatchOptions.NONE.withWholeObject()))
                    .isInstanceOf(ApiFailure.Unreachable.class);
        }
    }

    @Test
    void the_first_item_can_be_read_before_the_last_is_sent() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        String first = "{\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[{\"metadata\":{\"name\":\"first\"}},";
        FaultyServer server = faulty(Replying.inTwoParts(first, goOn, "{\"metadata\":{\"name\":\"last\"}}]}"));
        Response answer = closing(api(server.kubeconfig("t")).list(NODES, "", ListOptions.page("", 0, "")));
        byte[] read = answer.body().readNBytes(first.length());
        assertThat(new String(read, StandardCharsets.UTF_8)).isEqualTo(first);
        goOn.countDown();
        assertThat(text(answer)).contains("last");
    }

    private record Begun(Response answer, Duration timeout) {}

    /** With a timeout within which the head comes, however busy the machine is. */
    private Begun begun(Transport transport, Function<Duration, Request> call) {
        for (Duration timeout = SOON;; timeout = timeout.multipliedBy(2)) {
            try {
                return new Begun(closing(transport.exchange(call.apply(timeout))), timeout);
            } catch (ApiFailure.Unreachable tooSoon) {
                assertThat(timeout).isLessThan(PATIENCE);
            }
        }
    }

    @Test
    void an_answer_that_trickles_in_arrives_whole() throws IOException {
        String json = "{\"kind\":\"Node\",\"metadata\":{\"name\":\"snow \u2603\"}}";
        FaultyServer server = faulty(Replying.inChunks("", chunks -> {
            for (byte b : bytes(json)) {
                chunks.write(b);
                Thread.sleep(2);
            }
        }));
        Transport transport = transport(server.kubeconfig("t"));
        assertThat(text(closing(transport.exchange(get("/version", PATIENCE))))).isEqualTo(json);
        assertThat(text(closing(transport.exchange(streaming(PATIENCE))))).isEqualTo(json);
    }

    @Test
    void a_slow_answer_holds_up_nobody_else() throws Exception {
        FaultyServer server = faulty((request, out) -> {
            if (request.target().contains("slow")) {
                Thread.sleep(Long.MAX_VALUE);
            }
            Replying.with(200, "{}").answer(request, out);
        });
        Transport transport = transport(server.kubeconfig("t"));
        Waiting slow = Waiting.in(() -> transport.exchange(get("/slow", PATIENCE)));
        for (int i = 0; i < 20; i++) {
            assertThat(text(closing(transport.exchange(get("/version", PATIENCE))))).isEqualTo("{}");
        }
        slow.assertStillWaiting();
    }

    private static Request streaming(Duration timeout) {
        Map<String, String> headers = Map.of("Accept", "application/json");
        return new Request("GET", "/api/v1/nodes", headers, Optional.empty(), timeout, true);
    }
}
