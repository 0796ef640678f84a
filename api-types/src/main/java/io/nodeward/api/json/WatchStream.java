package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the events of a watch as they arrive.
 *
 * @param <T> the projected object
 */
public final class WatchStream<T extends KubernetesObject> {
    private static final String INITIAL_EVENTS_END = "k8s.io/initial-events-end";

    /** Bytes of an event that says last of what type it is: it is kept whole until then. */
    private static final int LARGEST_KEPT = 1 << 20;

    private final OneObject body;
    private final Projection<T> projection;
    private @Nullable JsonParser parser;
    private long renewed;

    /** Reads nothing yet. */
    public WatchStream(InputStream body, Projection<T> projection) {
        this.body = new OneObject(body);
        this.projection = projection;
    }

    /**
     * Waits for the next event; empty when the server ended the watch in good order.
     *
     * @throws IOException if the stream is cut, is no JSON, or an event in it is larger than any can be
     */
    public Optional<WatchEvent<T>> next() throws IOException {
        body.next();
        JsonParser events = parser();
        JsonToken token = events.nextToken();
        if (token == null) {
            return Optional.empty();
        }
        if (token != JsonToken.START_OBJECT) {
            throw new IOException("a watch event is a JSON object");
        }
        EventReader reader = new EventReader();
        Json.fields(events, reader::field);
        return Optional.of(reader.event());
    }

    /** Another one once it knows many names; between two events it has nothing but what it has read ahead. */
    private JsonParser parser() throws IOException {
        JsonParser last = parser;
        if (last != null && body.count() - renewed <= Json.REMEMBERED) {
            return last;
        }
        ByteArrayOutputStream ahead = new ByteArrayOutputStream();
        if (last != null && last.releaseBuffered(ahead) < 0) {
            throw new IOException("a watch is not UTF-8");
        }
        renewed = body.count();
        InputStream rest = new SequenceInputStream(new ByteArrayInputStream(ahead.toByteArray()), body);
        JsonParser next = Json.factory().createParser(rest); // waits for the first bytes, to see their encoding
        parser = next;
        return next;
    }

    private final class EventReader {
        private String type = "";
        private @Nullable TokenBuffer early;
        private @Nullable WatchEvent<T> event;

        void field(String field, JsonParser p) throws IOException {
            switch (field) {
                case "type" -> type = Json.text(p);
                case "object" -> object(p);
                default -> p.skipChildren();
            }
        }

        // Servers send the type first; JSON does not promise it.
        private void object(JsonParser p) throws IOException {
            if (type.isEmpty()) {
                body.atMost(LARGEST_KEPT);
                TokenBuffer buffer = new TokenBuffer(p);
                buffer.copyCurrentStructure(p);
                early = buffer;
            } else {
                event = read(p);
            }
        }

        WatchEvent<T> event() throws IOException {
            if (early != null) {
                JsonParser p = early.asParser();
                p.nextToken();
                event = read(p);
            }
            if (event == null) {
                throw new IOException("a watch event without an object");
            }
            return event;
        }

        private WatchEvent<T> read(JsonParser p) throws IOException {
            return switch (type) {
                case "ADDED", "MODIFIED" -> new WatchEvent.Put<>(projection.read(p));
                case "DELETED" -> new WatchEvent.Gone<>(projection.read(p));
                case "BOOKMARK" -> bookmark(p);
                case "ERROR" -> new WatchEvent.Failed<>(StatusJson.read(p));
                default -> throw new IOException("unknown watch event type " + type);
            };
        }

        private WatchEvent<T> bookmark(JsonParser p) throws IOException {
            Metadata metadata = Projection.METADATA.read(p).metadata();
            return new WatchEvent.Bookmark<>(
                    metadata.resourceVersion(), metadata.annotations().containsKey(INITIAL_EVENTS_END));
        }
    }
}
