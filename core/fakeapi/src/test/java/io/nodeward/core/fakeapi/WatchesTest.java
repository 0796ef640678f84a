package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What watches tell, and what they are refused for. */
public class WatchesTest extends ServerTest {
    private static final String WATCH = Client.NODES + "?watch=true";
    private static final String INITIAL =
            WATCH + "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

    private String from(Client.Reply reply) {
        return WATCH + "&resourceVersion=" + version(reply);
    }

    @Test
    void a_watch_tells_of_every_change_after_its_version() throws IOException {
        Client.Events events = client.watch(from(node("a")));
        client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'x':'y'}}}");
        node("b");
        client.delete(Client.NODES + "/a");
        JsonNode modified = events.next();
        assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
        assertThat(modified.at("/object/kind").asText()).isEqualTo("Node");
        assertThat(modified.at("/object/metadata/labels/x").asText()).isEqualTo("y");
        assertThat(events.nextShort()).isEqualTo("ADDED b");
        JsonNode deleted = events.next();
        assertThat(deleted.path("type").asText()).isEqualTo("DELETED");
        assertThat(deleted.at("/object/metadata/resourceVersion").asText())
                .isEqualTo(version(client.get(Client.NODES)));
        if (isOurs()) {
            assertThat(deleted.at("/object/metadata/resourceVersion").asLong()).isEqualTo(server.resourceVersion());
        }
    }

    @Test
    void a_write_that_changes_nothing_is_no_event() throws IOException {
        Client.Events events = client.watch(from(node("a", "x", "1")));
        client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'x':'1'}}}");
        node("b");
        assertThat(events.nextShort()).isEqualTo("ADDED b");
    }

    @Test
    void a_watch_without_version_begins_with_what_is_there() throws IOException {
        node("a");
        Client.Events events = client.watch(WATCH);
        assertThat(events.nextShort()).isEqualTo("ADDED a");
        node("b");
        assertThat(events.nextShort()).isEqualTo("ADDED b");
    }

    @Test
    void initial_events_end_with_a_bookmark() throws IOException {
        node("a", "x", "1");
        long last = Long.parseLong(version(node("b")));
        Client.Events events = client.watch(INITIAL + "&labelSelector=x");
        assertThat(events.nextShort()).isEqualTo("ADDED a");
        JsonNode bookmark = events.next();
        assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
        assertThat(bookmark.at("/object/kind").asText()).isEqualTo("Node");
        assertThat(bookmark.at("/object/metadata/annotations"))
                .isEqualTo(Client.json("{'k8s.io/initial-events-end':'true'}"));
        assertThat(bookmark.at("/object/metadata/resourceVersion").asLong()).isGreaterThanOrEqualTo(last);
        if (isOurs()) { // kube-apiserver may say more, and another writer may have been there
            assertThat(bookmark.at("/object/metadata")).isEqualTo(Client.json("{'resourceVersion':'"
                    + server.resourceVersion() + "','annotations':{'k8s.io/initial-events-end':'true'}}"));
        }
    }

    @Test
    void an_object_that_starts_or_stops_to_match_is_added_or_deleted() throws IOException {
        Client.Events events = client.watch(from(node("a")) + "&labelSelector=s%3D1");
        String path = Client.NODES + "/a";
        client.merge(path, "{'metadata':{'labels':{'s':'1'}}}");
        client.merge(path, "{'metadata':{'labels':{'t':'1'}}}");
        client.merge(path, "{'metadata':{'labels':{'s':'2'}}}");
        client.merge(path, "{'metadata':{'labels':{'t':'2'}}}");
        client.merge(path, "{'metadata':{'labels':{'s':'1'}}}");
        client.delete(path);
        assertThat(events.nextShort()).isEqualTo("ADDED a");
        assertThat(events.nextShort()).isEqualTo("MODIFIED a");
        JsonNode gone = events.next();
        assertThat(gone.path("type").asText()).isEqualTo("DELETED");
        assertThat(gone.at("/object/metadata/labels")).isEqualTo(Client.json("{'s':'1','t':'1'}"));
        assertThat(events.nextShort()).isEqualTo("ADDED a");
        assertThat(events.nextShort()).isEqualTo("DELETED a");
    }

    @Test
    void a_watch_of_one_namespace_sees_no_other() throws IOException {
        Client.Events events = client.watch(
                Client.MACHINES + "?watch=1&resourceVersion=" + version(client.get(Client.MACHINES)));
        created(client.post(Client.MACHINES.replace("default", "kube-system"), machineJson("k", SPEC)));
        machine("m");
        assertThat(events.nextShort()).isEqualTo("ADDED m");
    }

    @Test
    void a_watch_ends_when_its_time_is_over() throws IOException {
        Client.Events events = client.watch(from(node("a")) + "&timeoutSeconds=1");
        assertThat(events.next().isMissingNode()).isTrue();
    }

    @Test
    void a_watch_that_makes_no_sense_is_refused() {
        assertThat(client.get(WATCH + "&sendInitialEvents=true").code()).isEqualTo(422);
        assertThat(client.get(WATCH + "&resourceVersionMatch=NotOlderThan").code()).isEqualTo(422);
        assertThat(client.get(WATCH + "&resourceVersion=abc").code()).isEqualTo(500);
    }

    @Test
    void metadata_alone_can_be_watched() throws IOException {
        node("a");
        Client.Events events = client.accepting(Client.METADATA).watch(INITIAL);
        JsonNode event = events.next();
        assertThat(event.at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(event.path("object").has("spec")).isFalse();
        assertThat(events.next().at("/object/kind").asText()).isEqualTo("PartialObjectMetadata");
    }

    @Test
    void a_watched_table_names_its_columns_once() throws IOException {
        node("a");
        node("b");
        Client.Events events = client.accepting(Client.TABLE).watch(WATCH);
        assertThat(events.next().at("/object/columnDefinitions/0/name").asText()).isEqualTo("Name");
        JsonNode second = events.next();
        assertThat(second.at("/object/columnDefinitions").isNull()).isTrue();
        assertThat(second.at("/object/rows/0/cells/0").asText()).isEqualTo("b");
    }
}
