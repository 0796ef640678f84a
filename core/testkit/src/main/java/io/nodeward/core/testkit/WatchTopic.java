package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.json.WatchStream;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

abstract class WatchTopic extends ServedTopic {
    private static final Duration LONG = Duration.ofMinutes(5);

    @Test
    void the_events_of_an_object_come_in_order() throws IOException {
        Metadata created = node(api, "a");
        WatchStream<Node> events = watching(api, created);
        String first = version(api.patch(NODES, created.key(), merge("{\"metadata\":{\"labels\":{\"n\":\"1\"}}}")));
        String second = version(api.patch(NODES, created.key(), merge("{\"metadata\":{\"labels\":{\"n\":\"2\"}}}")));
        api.delete(NODES, created.key());
        Metadata again = node(api, "a");
        assertThat(put(events).metadata().resourceVersion()).isEqualTo(first);
        assertThat(put(events).metadata().resourceVersion()).isEqualTo(second);
        assertThat(object(events)).isInstanceOfSatisfying(WatchEvent.Gone.class,
                gone -> assertThat(gone.object().key()).isEqualTo(created.key()));
        assertThat(put(events).metadata().uid()).isEqualTo(again.uid()).isNotEqualTo(created.uid());
    }

    @Test
    void what_leaves_the_selector_is_gone() throws IOException {
        Metadata created = node(api, "a");
        WatchStream<Node> events = watching(api, created);
        api.patch(NODES, created.key(), merge("{\"metadata\":{\"labels\":{\"contract-run\":null}}}"));
        assertThat(object(events)).isInstanceOf(WatchEvent.Gone.class);
    }

    @Test
    void a_watch_list_sends_what_is_there_then_says_so_then_what_changes() throws IOException {
        Metadata a = node(api, "a");
        Metadata b = node(api, "b");
        WatchStream<Node> events = stream(api.watch(NODES, "", ListOptions.watchList(label(), LONG)));
        List<String> initial = new ArrayList<>();
        WatchEvent<Node> event = next(events);
        while (event instanceof WatchEvent.Put<Node> put) {
            initial.add(put.object().key().name());
            event = next(events);
        }
        assertThat(initial).containsExactlyInAnyOrder(a.key().name(), b.key().name());
        assertThat(event).isInstanceOfSatisfying(WatchEvent.Bookmark.class, bookmark -> {
            assertThat(bookmark.initialEventsEnd()).isTrue();
            assertThat(Long.parseLong(bookmark.resourceVersion()))
                    .isGreaterThanOrEqualTo(Long.parseLong(b.resourceVersion()));
        });
        Metadata c = node(api, "c");
        assertThat(put(events).metadata().uid()).isEqualTo(c.uid());
    }

    @Test
    void a_watch_list_of_nothing_says_so_at_once() throws IOException {
        WatchStream<Node> events = stream(api().watch(NODES, "", ListOptions.watchList(label(), LONG)));
        assertThat(next(events)).isInstanceOfSatisfying(WatchEvent.Bookmark.class,
                bookmark -> assertThat(bookmark.initialEventsEnd()).isTrue());
    }

    @Test
    void a_watch_from_nowhere_starts_with_what_is_there() throws IOException {
        Metadata a = node(api, "a");
        WatchStream<Node> events = stream(api.watch(NODES, "", ListOptions.watchFrom(label(), "", LONG)));
        assertThat(put(events).metadata().uid()).isEqualTo(a.uid());
        Metadata b = node(api, "b");
        assertThat(put(events).metadata().uid()).isEqualTo(b.uid());
    }

    // Else a watch of few objects would always go on from long ago, and expire.
    @Test
    void before_a_watch_times_out_a_bookmark_says_how_far_it_has_seen() throws IOException {
        Metadata a = node(api, "a");
        ListOptions options = ListOptions.watchFrom(label(), a.resourceVersion(), Duration.ofSeconds(4));
        WatchStream<Node> events = stream(api.watch(NODES, "", options));
        Metadata other = created(api, NODES, "", bytes("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s"}}""".formatted(name("other"))));
        Optional<String> last = Optional.empty();
        for (var event = events.next(); event.isPresent(); event = events.next()) {
            assertThat(event.get()).isInstanceOf(WatchEvent.Bookmark.class);
            last = Optional.of(((WatchEvent.Bookmark<Node>) event.get()).resourceVersion());
        }
        assertThat(last).hasValueSatisfying(version -> assertThat(Long.parseLong(version))
                .isGreaterThanOrEqualTo(Long.parseLong(other.resourceVersion())));
    }

    @Test
    void a_watch_goes_on_from_the_bookmark_of_another() throws IOException {
        node(api, "a");
        Response first = closing(api.watch(NODES, "", ListOptions.watchList(label(), LONG)));
        WatchStream<Node> events = stream(first);
        WatchEvent<Node> event = next(events);
        while (!(event instanceof WatchEvent.Bookmark<Node>)) {
            event = next(events);
        }
        String from = ((WatchEvent.Bookmark<Node>) event).resourceVersion();
        first.close();
        Metadata b = node(api, "b");
        WatchStream<Node> goingOn = stream(api.watch(NODES, "", ListOptions.watchFrom(label(), from, LONG)));
        assertThat(put(goingOn).metadata().uid()).isEqualTo(b.uid());
    }

    @Test
    void metadata_alone_can_be_asked_for() throws IOException {
        Metadata secret = created(api, SECRETS, "default", secretJson(name("a")));
        Response answer = closing(api.watch(SECRETS, "", ListOptions.watchList(label(), LONG).withMetadataOnly()));
        var event = json(firstLine(answer));
        assertThat(event.path("object").path("metadata").path("uid").asText()).isEqualTo(secret.uid());
        assertThat(event.path("object").has("data")).isFalse();
    }

    @Test
    void a_forgotten_resource_version_is_expired_before_or_as_the_first_event() {
        var forgotten = server().forgotten();
        assertThatThrownBy(() -> {
            ListOptions options = ListOptions.watchFrom("", forgotten.resourceVersion(), LONG);
            WatchStream<Node> events = stream(api.watch(forgotten.resource(), "", options));
            if (next(events) instanceof WatchEvent.Failed<Node> failed) {
                throw ApiFailure.of(failed.status(), "watch", Optional.empty());
            }
        })
                .isInstanceOf(ApiFailure.Expired.class);
    }

    private WatchStream<Node> watching(ApiServer api, Metadata from) {
        return stream(api.watch(NODES, "", ListOptions.watchFrom(label(), from.resourceVersion(), LONG)));
    }

    private WatchStream<Node> stream(Response answer) {
        return new WatchStream<>(closing(answer).body(), Projection.NODE);
    }

    private static WatchEvent<Node> next(WatchStream<Node> events) throws IOException {
        return events.next().orElseThrow(() -> new AssertionError("the watch ended"));
    }

    /** The next event that is no bookmark; servers send those when they like. */
    private static WatchEvent<Node> object(WatchStream<Node> events) throws IOException {
        WatchEvent<Node> event = next(events);
        while (event instanceof WatchEvent.Bookmark<Node>) {
            event = next(events);
        }
        return event;
    }

    private static Node put(WatchStream<Node> events) throws IOException {
        WatchEvent<Node> event = object(events);
        assertThat(event).isInstanceOf(WatchEvent.Put.class);
        return ((WatchEvent.Put<Node>) event).object();
    }

    private static String version(byte[] reply) throws IOException {
        return Replies.metadata(reply).resourceVersion();
    }

    private static byte[] firstLine(Response answer) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = answer.body().read(); b != '\n'; b = answer.body().read()) {
            line.write(b);
        }
        return line.toByteArray();
    }
}
