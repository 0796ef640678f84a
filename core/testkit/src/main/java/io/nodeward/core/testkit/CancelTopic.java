package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Whoever gives up, by closing an answer, by an interrupt, by closing the transport, ends that and nothing else. */
abstract class CancelTopic extends Topic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    CancelTopic(BackendContract contract) {
        super(contract);
    }

    @Test
    void closing_an_answer_ends_its_reader_and_no_other() throws Exception {
        ApiServer api = api();
        Metadata node = node(api, "a");
        Answer closed = watch(api, node.resourceVersion());
        Answer other = watch(api, node.resourceVersion());
        Waiting itsReader = Waiting.reading(closed);
        Waiting otherReader = Waiting.in(() -> other.body().read());
        closed.close();
        assertThat(itsReader.failure()).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> closed.body().read()).isInstanceOf(IOException.class);
        otherReader.assertStillWaiting();
        api.delete(NODES, node.key());
        assertThat(otherReader.result()).isEqualTo((int) '{');
    }

    @Test
    void interrupting_a_reader_ends_its_read_and_no_other() throws Exception {
        ApiServer api = api();
        Metadata node = node(api, "a");
        Waiting interrupted = Waiting.reading(watch(api, node.resourceVersion()));
        Answer other = watch(api, node.resourceVersion());
        Waiting otherReader = Waiting.in(() -> other.body().read());
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(IOException.class);
        assertThat(interrupted.interruptedAfterwards()).as("the interrupt is not forgotten").isTrue();
        otherReader.assertStillWaiting();
        api.delete(NODES, node.key());
        assertThat(otherReader.result()).isEqualTo((int) '{');
    }

    @Test
    void closing_the_connection_ends_every_reader() throws Exception {
        ApiServer api = api();
        String from = node(api, "a").resourceVersion();
        List<Waiting> readers = List.of(Waiting.reading(watch(api, from)), Waiting.reading(watch(api, from)));
        api.close();
        for (Waiting reader : readers) {
            assertThat(reader.failure()).isInstanceOf(IOException.class);
        }
    }

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

    @Test
    void whoever_was_interrupted_may_call_again() throws Exception {
        ApiServer api = api();
        Metadata node = node(api, "a");
        Waiting caller = Waiting.in(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(Thread.interrupted()).isTrue();
            return json(api.get(NODES, node.key())).path("metadata").path("uid").asText();
        });
        assertThat(caller.result()).isEqualTo(node.uid());
    }

    // A watch that nobody reads any more would cost the server memory for as long as it lasts.
    @Test
    void the_server_sees_an_answer_end_that_was_closed() throws Exception {
        FaultyServer server = faulty(Replying.openEnded("{}"));
        ApiServer api = api(server.kubeconfig("t"));
        Answer closed = watch(api, "7");
        Answer read = watch(api, "7");
        assertThat(read.body().readNBytes(2)).hasSize(2);
        Answer kept = watch(api, "7");
        assertThat(server.openConnections()).isEqualTo(3);
        closed.close();
        read.close();
        await().atMost(PATIENCE).until(() -> server.openConnections() == 1);
        assertThat(kept.body().readNBytes(2)).hasSize(2);
    }

    // The same where many answers share a connection: there the end of one is a word of the protocol.
    @Test
    void the_server_under_test_counts_no_watch_that_was_closed() throws IOException {
        ApiServer api = api();
        Resource resource = server().forgotten().resource();
        List<Answer> watches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            watches.add(closing(api.watch(resource, "", ListOptions.watchFrom("", "", LONG))));
        }
        int open = server().openWatches();
        assertThat(open).isGreaterThanOrEqualTo(5);
        watches.subList(0, 4).forEach(Answer::close);
        await().atMost(PATIENCE).until(() -> {
            node(api, UUID.randomUUID().toString()); // a server may notice only when it has something to tell
            return server().openWatches() <= open - 4;
        });
    }

    private static List<Callable<?>> everyKindOfCall(ApiServer api) {
        return List.of(
                () -> api.get("/version"),
                () -> api.patch(NODES, ObjectKey.clusterScoped("a"), merge("{}")),
                () -> api.list(NODES, "", ListOptions.page("", 0, "")),
                () -> api.watch(NODES, "", ListOptions.watchFrom("", "7", LONG)));
    }

    private Answer watch(ApiServer api, String from) {
        return closing(api.watch(NODES, "", ListOptions.watchFrom(label(), from, LONG)));
    }
}
