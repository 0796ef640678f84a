package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.node.Node;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever runs a workload cluster must not fill the memory of all with one object. */
class EndlessObjectTest {
    private static final String NODE = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"n\",\"annotations\":{";

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static void assertRefused(InputStream events) {
        WatchStream<Node> stream = new WatchStream<>(events, Projection.NODE);
        assertThatThrownBy(stream::next).isInstanceOf(IOException.class).hasMessageMatching("(?s).*(too|exceeds).*");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", // nothing but space
            "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"",
            "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"taints\":[{\"key\":\"",
            "{\"type\":\"ADDED\",\"object\":{\"status\":\""})
    void an_event_that_goes_on_with_one_text_is_given_up(String start) {
        assertRefused(new Endless(start, i -> " ".repeat(4096)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"object\":{\"a\":[1",
            "{\"type\":\"ADDED\",\"object\":{\"spec\":{\"taints\":[{\"a\":[1"})
    void an_event_whose_parts_are_all_kept_is_given_up(String start) {
        assertRefused(new Endless(start, i -> ",1".repeat(2048)));
    }

    @Test
    void an_event_with_ever_more_taints_or_labels_is_given_up() {
        assertRefused(new Endless("{\"type\":\"ADDED\",\"object\":{\"spec\":{\"taints\":[{}", i -> ",{}".repeat(2048)));
        assertRefused(new Endless(NODE + "\"a\":\"\"", i -> ",\"" + i + "\":\"\""));
    }

    /** Names are forgotten every 8 MiB, wherever the stream is then. */
    @Test
    void a_long_watch_loses_no_event() throws IOException {
        String event = "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"%s\"},\"status\":\"%s\"}}\n";
        InputStream body = new Endless("", i -> event.formatted(i + "a", "x".repeat(90_000 + i))
                + event.formatted(i + "b", "") + event.formatted(i + "c", "x".repeat(3)));
        WatchStream<Node> events = new WatchStream<>(body, Projection.NODE);
        for (int i = 1; i < 400; i++) {
            for (String name : List.of(i + "a", i + "b", i + "c")) {
                assertThat(((WatchEvent.Put<Node>) events.next().orElseThrow()).object().key().name()).isEqualTo(name);
            }
        }
    }

    @Test
    void a_resource_version_that_no_api_server_sends_is_given_up() throws IOException {
        String event = "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"resourceVersion\":\"%s\"}}}";
        assertThat(new WatchStream<>(text(event.formatted("9".repeat(256))), Projection.NODE).next()).isPresent();
        assertRefused(text(event.formatted("9".repeat(257))));
    }

    @Test
    void a_list_whose_item_has_no_end_is_given_up() {
        InputStream list = new Endless("{\"items\":[{\"status\":[1", i -> ",1".repeat(2048));
        assertThatThrownBy(() -> ListPage.read(list, Projection.NODE, node -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("too large");
    }

    @Test
    void many_objects_are_not_taken_for_a_large_one() throws IOException {
        String pad = "x".repeat(1 << 20);
        WatchStream<Node> events = new WatchStream<>(
                new Endless("", i -> "{\"type\":\"ADDED\",\"object\":{\"status\":\"" + pad + "\"}}"), Projection.NODE);
        int[] items = {0};
        String item = "{\"status\":\"" + pad + "\"}";
        for (int i = 0; i < 30; i++) {
            assertThat(events.next()).isPresent();
        }
        ListPage.read(text("{\"items\":[" + item + ("," + item).repeat(29) + "]}"), Projection.NODE, n -> items[0]++);
        assertThat(items[0]).isEqualTo(30);
    }

    @Test
    void the_largest_object_that_a_server_stores_is_read_however_it_is_written() throws IOException {
        WatchStream<Node> events = new WatchStream<>(
                text(NODE + "\"a\":\"" + "\\u003c".repeat(1_500_000) + "\"}}}}"), Projection.NODE);
        Optional<WatchEvent<Node>> event = events.next();
        assertThat(event).hasValueSatisfying(put -> assertThat(
                ((WatchEvent.Put<Node>) put).object().metadata().annotations().get("a")).hasSize(1_500_000));
    }
}
