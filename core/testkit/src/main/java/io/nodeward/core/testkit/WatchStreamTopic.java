package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A watch byte by byte: what has come whole is an event, what has not is none, and a cut is never an end. */
abstract class WatchStreamTopic extends TransportTopic {
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final String A = event("ADDED", "a \u2603");
    private static final String B = event("MODIFIED", "b \uD83D\uDE00");

    @Test
    void an_event_is_there_as_soon_as_its_last_byte_is() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        byte[] both = bytes(A + B);
        int middle = bytes(A + B.substring(0, B.indexOf('\uD83D'))).length + 2; // inside one character
        WatchStream<Node> events = watch(Replying.inChunks("", chunks -> {
            chunks.write(both, 0, middle);
            goOn.await();
            chunks.write(both, middle, both.length - middle);
        }));
        assertThat(note(events)).isEqualTo("a \u2603");
        goOn.countDown();
        assertThat(note(events)).isEqualTo("b \uD83D\uDE00");
        assertThat(events.next()).isEmpty();
    }

    @Test
    void events_arrive_whole_however_they_are_chopped() throws IOException {
        byte[] both = bytes(A + B);
        for (int size : new int[]{1, 7, both.length}) {
            WatchStream<Node> events = watch(Replying.inChunks("", chunks -> chopped(chunks, both, size)));
            assertThat(note(events)).isEqualTo("a \u2603");
            assertThat(note(events)).isEqualTo("b \uD83D\uDE00");
            assertThat(events.next()).isEmpty();
        }
    }

    private static void chopped(OutputStream chunks, byte[] bytes, int size) throws IOException {
        for (int from = 0; from < bytes.length; from += size) {
            chunks.write(Arrays.copyOfRange(bytes, from, Math.min(from + size, bytes.length)));
        }
    }

    @Test
    void a_watch_that_ends_inside_an_event_is_a_failure() throws IOException {
        WatchStream<Node> events = watch(Replying.inChunks("",
                chunks -> chunks.write(bytes(A + B.substring(0, B.length() - 5)))));
        assertThat(note(events)).isEqualTo("a \u2603");
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
    }

    // Else a caller would take a dead connection for the server's own timeout.
    @Test
    void a_watch_that_is_cut_between_two_events_has_not_ended_in_good_order() throws IOException {
        WatchStream<Node> events = watch(Replying.inChunks("", chunks -> {
            chunks.write(bytes(A));
            throw new EOFException("as told");
        }));
        assertThat(note(events)).isEqualTo("a \u2603");
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
    }

    @Test
    void what_is_no_json_is_a_failure() throws IOException {
        WatchStream<Node> events = watch(Replying.inChunks("", chunks -> chunks.write(bytes(A + "<html>"))));
        assertThat(note(events)).isEqualTo("a \u2603");
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
    }

    @Test
    void expiry_may_come_in_the_middle_as_the_last_event() throws IOException {
        String expired = "{\"type\":\"ERROR\",\"object\":" + Replying.statusJson(410, "Expired", "too old").strip()
                + "}\n";
        WatchStream<Node> events = watch(Replying.inChunks("", chunks -> chunks.write(bytes(A + expired))));
        assertThat(note(events)).isEqualTo("a \u2603");
        assertThat(events.next().orElseThrow()).isInstanceOfSatisfying(WatchEvent.Failed.class,
                failed -> assertThat(ApiFailure.of(failed.status(), "WATCH", Optional.empty()))
                        .isInstanceOf(ApiFailure.Expired.class));
        assertThat(events.next()).isEmpty();
    }

    @Test
    void expiry_may_come_at_once_as_an_answer() throws IOException {
        assertThatThrownBy(() -> watch(Replying.status(410, "Expired", "too old")))
                .isInstanceOf(ApiFailure.Expired.class);
    }

    private WatchStream<Node> watch(FaultyServer.Reply reply) throws IOException {
        ApiServer api = api(faulty(reply).kubeconfig("t"));
        Response answer = closing(api.watch(NODES, "", ListOptions.watchFrom("", "7", LONG)));
        return new WatchStream<>(answer.body(), Projection.NODE);
    }

    private static String note(WatchStream<Node> events) throws IOException {
        WatchEvent<Node> event = events.next().orElseThrow(() -> new AssertionError("the watch ended"));
        assertThat(event).isInstanceOf(WatchEvent.Put.class);
        return ((WatchEvent.Put<Node>) event).object().metadata().annotations().getOrDefault("note", "");
    }

    private static String event(String type, String note) {
        String metadata = "{\"name\":\"n\",\"resourceVersion\":\"8\",\"annotations\":{\"note\":\"" + note + "\"}}";
        return "{\"type\":\"" + type + "\",\"object\":{\"metadata\":" + metadata + "}}\n";
    }
}
