package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The API server's own record of requests: the witness of what was sent, independent of the client that sent it.
 * The server writes a line just after it has answered, so wait with {@link #settled} before counting.
 */
public final class AuditLog {
    private static final Duration SETTLED_AT_MOST = Duration.ofMinutes(5);

    private final Path file;

    AuditLog(Path file) {
        this.file = file;
    }

    /** A place in the log; what comes later is what {@link #since} gives. */
    public record Mark(long offset) {}

    /** Where it is, one JSON object per line. */
    public Path file() {
        return file;
    }

    public Mark mark() {
        return new Mark(size());
    }

    /** Waits until nothing was written for {@code quiet}, and gives that place. */
    public Mark settled(Duration quiet) {
        return settled(new Mark(Math.max(0, size() - 1)), request -> true, quiet);
    }

    /** Waits until no request that matches was written for {@code quiet}, counted from now, whatever others do. */
    public Mark settled(Mark from, Predicate<AuditRequest> matching, Duration quiet) {
        long start = System.nanoTime();
        long lastChange = start;
        int seen = -1;
        while (System.nanoTime() - lastChange < quiet.toNanos()) {
            int now = (int) since(from).filter(matching).count();
            if (now != seen) {
                seen = now;
                lastChange = System.nanoTime();
            }
            if (System.nanoTime() - start > SETTLED_AT_MOST.toNanos()) {
                throw new IllegalStateException("requests did not stop within " + SETTLED_AT_MOST + "; the last: "
                        + since(from).filter(matching).toList().getLast());
            }
            Polling.pause();
        }
        return mark();
    }

    /** Requests after the mark in the order the server logged them, each once; a watch counts when it starts. */
    public Stream<AuditRequest> since(Mark mark) {
        List<AuditRequest> requests = new ArrayList<>();
        for (String line : lines(mark)) {
            JsonNode event = Json.parse(line);
            if (counts(event)) {
                requests.add(AuditRequest.of(event));
            }
        }
        return requests.stream();
    }

    // A watch is logged when it starts and when it ends; one that was refused only when it ends.
    private static boolean counts(JsonNode event) {
        boolean started = event.path("stage").asText().equals("ResponseStarted");
        boolean refused = event.path("responseStatus").path("code").asInt() >= 400;
        return event.path("verb").asText().equals("watch") ? started || refused : !started;
    }

    // The last line may be half written: what follows the last line end is left for the next call.
    private List<String> lines(Mark mark) {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(Math.max(0, channel.size() - mark.offset())));
            channel.position(mark.offset());
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                continue;
            }
            String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log cannot be read", e);
        }
    }

    private long size() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log cannot be read", e);
        }
    }
}
