package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Whoever gives up, by closing an answer, by an interrupt, by closing the transport, ends that and nothing else. */
abstract class CancelTopic extends TransportTopic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void closing_ends_every_call_that_waits_for_its_answer() throws Exception {
        FaultyServer server = faulty(Replying.silence());
        ApiServer api = api(server.kubeconfig("t"));
        ApiServer other = api(server.kubeconfig("t"));
        List<Waiting> calls = new ArrayList<>();
        for (Callable<?> call : everyKindOfCall(api)) {
            calls.add(Waiting.in(call));
        }
        Waiting notClosed = Waiting.in(() -> other.get("/version"));
        await().atMost(PATIENCE).until(() -> server.requests().size() == calls.size() + 1);
        api.close();
        for (Waiting call : calls) {
            assertThat(call.failure()).isInstanceOf(ApiFailure.Unreachable.class).hasMessageContaining("closed");
        }
        await().atMost(PATIENCE).until(() -> server.openConnections() == 1);
        notClosed.assertStillWaiting();
    }

    @Test
    void interrupting_a_caller_ends_its_call_and_no_other() throws Exception {
        FaultyServer server = faulty(Replying.silence());
        ApiServer api = api(server.kubeconfig("t"));
        Waiting other = Waiting.in(() -> api.get("/other"));
        for (Callable<?> call : everyKindOfCall(api)) {
            Waiting interrupted = Waiting.in(call);
            interrupted.interrupt();
            assertThat(interrupted.failure()).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(interrupted.interruptedAfterwards()).as("the interrupt is not forgotten").isTrue();
        }
        await().atMost(PATIENCE).until(() -> server.openConnections() == 1);
        other.assertStillWaiting();
    }

    // A watch that nobody reads any more would cost the server memory for as long as it lasts.
    @Test
    void the_server_sees_an_answer_end_that_was_closed() throws Exception {
        FaultyServer server = faulty(Replying.openEnded("{}"));
        ApiServer api = api(server.kubeconfig("t"));
        Response closed = watch(api, "7");
        Response read = watch(api, "7");
        assertThat(read.body().readNBytes(2)).hasSize(2);
        Response kept = watch(api, "7");
        assertThat(server.openConnections()).isEqualTo(3);
        closed.close();
        read.close();
        await().atMost(PATIENCE).until(() -> server.openConnections() == 1);
        assertThat(kept.body().readNBytes(2)).hasSize(2);
    }

    private static List<Callable<?>> everyKindOfCall(ApiServer api) {
        return List.of(
                () -> api.get("/version"),
                () -> api.patch(NODES, ObjectKey.clusterScoped("a"), merge("{}")),
                () -> api.list(NODES, "", ListOptions.page("", 0, "")),
                () -> api.watch(NODES, "", ListOptions.watchFrom("", "7", LONG)));
    }

    private Response watch(ApiServer api, String from) {
        return closing(api.watch(NODES, "", ListOptions.watchFrom("", from, LONG)));
    }
}
