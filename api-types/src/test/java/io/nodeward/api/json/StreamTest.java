package io.nodeward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StreamTest {
    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<WatchEvent<Node>> events(String text) throws IOException {
        WatchStream<Node> stream = new WatchStream<>(stream(text), Projection.NODE);
        List<WatchEvent<Node>> events = new ArrayList<>();
        for (Optional<WatchEvent<Node>> event = stream.next(); event.isPresent(); event = stream.next()) {
            events.add(event.get());
        }
        return events;
    }

    @Test
    void a_page_is_read_wherever_its_metadata_stands() throws IOException {
        List<String> names = new ArrayList<>();
        ListPage page = ListPage.read(
                stream("{\"apiVersion\":\"v1\",\"items\":[{\"metadata\":{\"name\":\"a\"}},{\"metadata\":{\"name\":\"b\"}}],"
                        + "\"metadata\":{\"continue\":\"token\",\"remainingItemCount\":5,\"resourceVersion\":\"9\"}}"),
                Projection.NODE,
                node -> names.add(node.key().name()));

        assertThat(names).containsExactly("a", "b");
        assertThat(page).isEqualTo(new ListPage("9", "token"));
        assertThat(ListPage.read(stream("{\"items\":null,\"metadata\":{\"resourceVersion\":\"1\"}}"), Projection.NODE,
                n -> {}))
                .isEqualTo(new ListPage("1", ""));
    }

    @Test
    void a_cut_page_is_no_page() {
        assertThatThrownBy(
                () -> ListPage.read(stream("{\"items\":[{\"metadata\":{\"name\":\"a\"}},"), Projection.NODE, n -> {}))
                .isInstanceOf(IOException.class);
    }

    @Test
    void events_come_in_order_with_their_kind() throws IOException {
        List<WatchEvent<Node>> events =
                events("""
                        {"type":"ADDED","object":{"metadata":{"name":"a","resourceVersion":"1"}}}
                        {"object":{"metadata":{"name":"a","resourceVersion":"2"}},"type":"MODIFIED"}
                        {"type":"DELETED","object":{"metadata":{"name":"a","resourceVersion":"3"}}}
                        {"type":"BOOKMARK","object":{"kind":"Node","metadata":{"resourceVersion":"4"}}}
                        {"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"5","annotations":{"k8s.io/initial-events-end":"true"}}}}
                        {"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}
                        """);

        assertThat(events).hasSize(6);
        assertThat(events.get(0)).isInstanceOf(WatchEvent.Put.class);
        assertThat(((WatchEvent.Put<Node>) events.get(1)).object().metadata().resourceVersion()).isEqualTo("2");
        assertThat(events.get(2)).isInstanceOf(WatchEvent.Gone.class);
        assertThat(events.get(3)).isEqualTo(new WatchEvent.Bookmark<>("4", false));
        assertThat(events.get(4)).isEqualTo(new WatchEvent.Bookmark<>("5", true));
        assertThat(events.get(5)).isEqualTo(new WatchEvent.Failed<>(new Status(410, "Expired", "too old", 0)));
    }

    @Test
    void what_is_no_event_ends_the_watch() {
        assertThatThrownBy(() -> events("[]")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> events("{\"type\":\"ADDED\"}")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> events("{\"type\":\"NEW\",\"object\":{}}")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> events("{\"type\":\"ADDED\",\"object\":{\"metadata\":"))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_status_is_read_and_a_page_of_a_proxy_becomes_the_message() {
        byte[] status =
                "{\"kind\":\"Status\",\"code\":429,\"reason\":\"TooManyRequests\",\"message\":\"m\",\"details\":{\"retryAfterSeconds\":3}}"
                        .getBytes(StandardCharsets.UTF_8);
        assertThat(StatusJson.read(429, status)).isEqualTo(new Status(429, "TooManyRequests", "m", 3));
        byte[] budget = """
                {"code":429,"message":"m","details":{"causes":[{"reason":"DisruptionBudget","message":"b","field":"f"},
                 {"reason":"Other","message":"c"}],"retryAfterSeconds":3}}""".getBytes(StandardCharsets.UTF_8);
        assertThat(StatusJson.read(429, budget)).isEqualTo(new Status(429, "", "m", 3, "DisruptionBudget: b"));
        assertThat(StatusJson.read(429, budget).heldUp()).contains("b");
        assertThat(StatusJson.read(429, status).heldUp()).as("the server has enough").isEmpty();
        for (String webhook : List.of("admission webhook \"v\" denied the request: no",
                "Internal error occurred: failed calling webhook \"v\": failed to call webhook: EOF")) {
            assertThat(new Status(500, "", webhook, 0).isOfWebhook()).isTrue();
        }
        assertThat(new Status(500, "", "the name \"admission webhook \" is taken", 0).isOfWebhook()).isFalse();
        assertThat(new Status(500, "", "This pod has more than one PodDisruptionBudget, which", 0).heldUp())
                .isPresent();
        assertThat(new Status(500, "InternalError", "etcdserver: request timed out", 0).heldUp()).isEmpty();
        assertThat(StatusJson.read(502, "<html>Bad".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new Status(502, "", "<html>Bad", 0));
        assertThat(StatusJson.read(500, new byte[0]).code()).isEqualTo(500);
        assertThat(StatusJson.read(500, "x".repeat(1000).getBytes(StandardCharsets.UTF_8)).message()).hasSize(256);
    }

    @Test
    void versions_of_a_group_are_listed_in_the_servers_order() throws IOException {
        assertThat(Replies.groupVersions(
                ("{\"kind\":\"APIGroup\",\"versions\":[{\"groupVersion\":\"g/v1beta2\",\"version\":\"v1beta2\"},"
                        + "{\"version\":\"v1beta1\"}],\"preferredVersion\":{}}").getBytes(StandardCharsets.UTF_8)))
                .containsExactly("v1beta2", "v1beta1");
    }

    @Test
    void what_a_server_does_not_name_it_does_not_serve() throws IOException {
        assertThat(Replies.groupVersions("{\"versions\":[{},{\"version\":\"v1\"},5]}".getBytes(StandardCharsets.UTF_8)))
                .containsExactly("v1");
        assertThat(Replies.resources("{\"resources\":[{\"kind\":\"X\"},{\"name\":\"ys\"},{\"name\":\"ys/scale\"}]}"
                .getBytes(StandardCharsets.UTF_8))).containsExactly("ys");
    }
}
