package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.meta.Metadata;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Whoever gives up reading what the server sends ends that and nothing else. */
abstract class ReaderTopic extends ServedTopic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Test
    void closing_an_answer_ends_its_reader_and_no_other() throws Exception {
        Metadata node = node(api, "a");
        Response closed = watch(api, node.resourceVersion());
        Response other = watch(api, node.resourceVersion());
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
        Metadata node = node(api, "a");
        Waiting interrupted = Waiting.reading(watch(api, node.resourceVersion()));
        Response other = watch(api, node.resourceVersion());
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
        String from = node(api, "a").resourceVersion();
        List<Waiting> readers = List.of(Waiting.reading(watch(api, from)), Waiting.reading(watch(api, from)));
        api.close();
        for (Waiting reader : readers) {
            assertThat(reader.failure()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void whoever_was_interrupted_may_call_again() throws Exception {
        Metadata node = node(api, "a");
        Waiting caller = Waiting.in(() -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> api.get(NODES, node.key())).isInstanceOf(ApiFailure.Unreachable.class);
            assertThat(Thread.interrupted()).isTrue();
            return json(api.get(NODES, node.key())).path("metadata").path("uid").asText();
        });
        assertThat(caller.result()).isEqualTo(node.uid());
    }

    // The same where many answers share a connection: there the end of one is a word of the protocol.
    @Test
    void the_server_under_test_counts_no_watch_that_was_closed() throws IOException {
        Resource resource = server().forgotten().resource();
        List<Response> watches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            watches.add(closing(api.watch(resource, "", ListOptions.watchFrom("", "", LONG))));
        }
        int open = server().openWatches();
        assertThat(open).isGreaterThanOrEqualTo(5);
        watches.subList(0, 4).forEach(Response::close);
        await().atMost(PATIENCE).until(() -> {
            node(api, UUID.randomUUID().toString()); // a server may notice only when it has something to tell
            return server().openWatches() <= open - 4;
        });
    }

    private Response watch(ApiServer api, String from) {
        return closing(api.watch(NODES, "", ListOptions.watchFrom(label(), from, LONG)));
    }
}
