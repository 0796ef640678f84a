package io.nodeward.e2e.controlplane;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The API server's own record of requests: the witness of what was sent, independent of the client that sent it.
 * The server writes a line just after it has answered, so wait with {@link #settled} before counting.
 */
public final class AuditLog {
    private static final Duration SETTLED_AT_MOST = Duration.ofMinutes(5);

    /** So many marks are asked for in turn; what came after an older one is read again. */
    private static final int TAILS = 4;

    private final Path file;
    private final Map<Mark, AuditTail> tails = new LinkedHashMap<>(TAILS, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Mark, AuditTail> eldest) {
            return size() > TAILS;
        }
    };

    public AuditLog(Path file) {
        this.file = file;
    }

    /** A place in the log; what comes later is what {@link #since} gives. */
    public record Mark(long offset) {}

    public Mark mark() {
        return new Mark(Directories.io(() -> Files.size(file)));
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
        AuditTail tail;
        synchronized (tails) {
            tail = tails.computeIfAbsent(mark, from -> new AuditTail(file, from.offset()));
        }
        return tail.read().stream();
    }
}
