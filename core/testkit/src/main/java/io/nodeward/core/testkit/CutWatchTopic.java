package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A watch of the server whose line is cut, or goes dead. */
abstract class CutWatchTopic extends ServedTopic {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void a_watch_of_the_server_that_is_cut_goes_on_over_a_new_connection_where_it_was() throws Exception {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        Metadata before = node(api(), "a");
        Waiting reader = Waiting.reading(watchFrom(api, before));
        wire.relay().cut();
        assertThat(reader.failure()).isInstanceOf(IOException.class);
        Metadata missed = node(api(), "b");
        WatchStream<Node> again = new WatchStream<>(watchFrom(api, before).body(), Projection.NODE);
        WatchEvent<Node> event = again.next().orElseThrow();
        while (event instanceof WatchEvent.Bookmark<Node>) {
            event = again.next().orElseThrow();
        }
        assertThat(((WatchEvent.Put<Node>) event).object().metadata().uid()).isEqualTo(missed.uid());
    }

    // The client is not told that the server is gone. A caller that notices by a timeout must be able to close.
    @Test
    void a_watch_whose_server_died_without_a_word_can_be_closed() throws Exception {
        Wire wire = closing(Wire.to(server().kubeconfig()));
        ApiServer api = api(wire.kubeconfig());
        Response answer = watchFrom(api, node(api(), "a"));
        Waiting reader = Waiting.reading(answer);
        wire.relay().forget();
        answer.close();
        assertThat(reader.failure()).isInstanceOf(IOException.class);
    }

    private Response watchFrom(ApiServer api, Metadata from) {
        return closing(api.watch(NODES, "", ListOptions.watchFrom(label(), from.resourceVersion(), LONG)));
    }
}
