package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The requests that an audit log has after a place in it. Each line is read once, however often callers ask for it. */
final class AuditTail {
    private final Path file;
    private final List<AuditRequest> requests = new ArrayList<>();
    /** Where the line begins that is read next. */
    private long next;
    /** Whether that line came before the place: the server's write of a line can be seen half done. */
    private boolean before;

    AuditTail(Path file, long from) {
        this.file = file;
        this.next = Math.max(0, from - 1); // a line end, or in a line: what follows up to the next line end came before
        this.before = from > 0;
    }

    /** Returns all requests so far, in the order in which the server logged them. */
    synchronized List<AuditRequest> read() {
        for (String line : newLines()) {
            if (before) {
                before = false;
                continue;
            }
            JsonNode event = Json.parse(line);
            if (counts(event)) {
                requests.add(AuditRequest.of(event));
            }
        }
        return List.copyOf(requests);
    }

    // A watch is logged when it starts and when it ends; one that was refused only when it ends. Of a request without a user
    // the server logs the start alone.
    private static boolean counts(JsonNode event) {
        boolean started = event.path("stage").asText().equals("ResponseStarted");
        int code = event.path("responseStatus").path("code").asInt();
        return event.path("verb").asText().equals("watch") ? started || code >= 400 : !started || code == 401;
    }

    // The last line may be half written: what follows the last line end is left for the next time.
    private List<String> newLines() {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - next)));
            channel.position(next);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            int end = bytes.position();
            while (end > 0 && bytes.get(end - 1) != '\n') {
                end--;
            }
            next += end;
            return new String(bytes.array(), 0, end, StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log cannot be read", e);
        }
    }
}
