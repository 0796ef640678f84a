package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Watches of a server that forgets early, cuts them, or sends bookmarks more often than others. */
class ForgetfulTest extends ServerTest {
    private static final String WATCH = Client.NODES + "?watch=true";

    @Override
    Options options() {
        return Options.defaults().withHistory(50).withBookmarkEvery(Duration.ofMillis(300));
    }

    private String from(Client.Reply reply) {
        return WATCH + "&resourceVersion=" + version(reply);
    }

    @Test
    void bookmarks_come_by_themselves() throws IOException {
        Client.Events events = client.watch(from(node("a")) + "&allowWatchBookmarks=true");
        long version = Long.parseLong(version(machine("m")));
        JsonNode bookmark;
        do {
            bookmark = events.next();
            assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
        } while (bookmark.at("/object/metadata/resourceVersion").asLong() < version);
    }

    @Test
    void a_forgotten_version_is_expired() throws IOException {
        String old = from(node("a"));
        node("b");
        server.expire();
        JsonNode event = client.watch(old).next();
        assertThat(event.path("type").asText()).isEqualTo("ERROR");
        assertThat(event.at("/object/code").asInt()).isEqualTo(410);
        assertThat(event.at("/object/reason").asText()).isEqualTo("Expired");
    }

    @Test
    void more_changes_than_are_kept_are_forgotten() throws IOException {
        String old = from(node("a"));
        for (int i = 0; i < 51; i++) {
            node("n" + i);
        }
        assertThat(client.watch(old).next().at("/object/reason").asText()).isEqualTo("Expired");
    }

    @Test
    void a_watch_that_is_up_to_date_survives_a_compaction() throws IOException {
        Client.Events events = client.watch(from(node("a")));
        server.expire();
        node("b");
        assertThat(events.nextShort()).isEqualTo("ADDED b");
    }

    @Test
    void dropped_watches_end_with_a_cut() throws IOException {
        Client.Events events = client.watch(from(node("a")));
        assertThat(server.dropWatches()).isEqualTo(1);
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
        assertThat(client.watch(WATCH).nextShort()).isEqualTo("ADDED a");
    }
}
