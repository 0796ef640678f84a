package io.nodeward.core.testkit.quiet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The events of a watch, one at a time: who asks for another has dealt with the last. Bookmarks say how far he has come
 * by then. He does not see them himself, but for the end of the initial events: a watch that he takes up must begin
 * where it would have begun without them.
 */
final class Followed extends InputStream {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final byte[] BOOKMARK = "{\"type\":\"BOOKMARK\"".getBytes(StandardCharsets.UTF_8);

    private final InputStream body;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int limit;
    private byte[] line = {};
    private int given;
    /** Version of the bookmark that is given out now; 0 if it is something else. */
    private long reached;
    private volatile long seen = -1;
    private volatile boolean closed;

    Followed(InputStream body) {
        this.body = body;
    }

    /** The version up to which the reader has dealt with all changes; less than any while he does not read. */
    long seen() {
        return closed ? -1 : seen;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        try {
            while (given == line.length) {
                if (!next()) {
                    seen = -1;
                    return -1;
                }
            }
        } catch (IOException | RuntimeException e) {
            seen = -1;
            throw e;
        }
        int count = Math.min(length, line.length - given);
        System.arraycopy(line, given, bytes, offset, count);
        given += count;
        return count;
    }

    /** Whether there is a next line; then it is the one given out. */
    private boolean next() throws IOException {
        seen = Math.max(seen, reached);
        reached = 0;
        byte[] next = line();
        given = 0;
        line = next;
        if (next.length >= BOOKMARK.length && Arrays.equals(next, 0, BOOKMARK.length, BOOKMARK, 0, BOOKMARK.length)) {
            JsonNode metadata = MAPPER.readTree(next).at("/object/metadata");
            reached = metadata.path("resourceVersion").asLong();
            if (!metadata.path("annotations").has("k8s.io/initial-events-end")) {
                line = new byte[0];
            }
        }
        return next.length > 0;
    }

    /** With its end; empty if there is none. */
    private byte[] line() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        while (true) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, body.read(buffer));
                if (limit == 0) {
                    return whole.toByteArray();
                }
            }
            byte next = buffer[position++];
            whole.write(next);
            if (next == '\n') {
                return whole.toByteArray();
            }
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        body.close();
    }
}
