package io.nodeward.e2e.bench.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The API server's record of the controllers' requests. Nothing of it is parsed while a run is going on. */
public final class RequestLog {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration QUIET = Duration.ofSeconds(3);
    private static final Duration SETTLED_AT_MOST = Duration.ofMinutes(5);
    private static final int PIECE = 1 << 20;

    private final Path file;
    private final Predicate<LoggedRequest> controllers;

    /** @param controllers whose requests count */
    public RequestLog(Path file, Predicate<LoggedRequest> controllers) {
        this.file = file;
        this.controllers = controllers;
    }

    /**
     * The end of a run.
     *
     * @param lastRequest {@link System#nanoTime} at which the last request was seen, to 20 ms
     * @param cpu taken just then, so that the waiting that found it out is not in it
     */
    public record Settled(long lastRequest, CpuTimes cpu) {}

    /** A place in the log: that many bytes. */
    public long mark() {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log cannot be read", e);
        }
    }

    /** Waits until nothing was logged for three seconds. */
    public Settled settled(Supplier<CpuTimes> cpu) {
        long start = System.nanoTime();
        long size = mark();
        Settled last = new Settled(start, cpu.get());
        while (System.nanoTime() - last.lastRequest() < QUIET.toNanos()) {
            Pause.of(POLL);
            long now = mark();
            if (now != size) {
                size = now;
                last = new Settled(System.nanoTime(), cpu.get());
            }
            if (System.nanoTime() - start > SETTLED_AT_MOST.toNanos()) {
                throw new IllegalStateException("requests do not stop within " + SETTLED_AT_MOST);
            }
        }
        return last;
    }

    /** The controllers' requests after the mark, as they came. */
    public List<LoggedRequest> since(long mark) {
        List<LoggedRequest> requests = new ArrayList<>();
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer buffer = ByteBuffer.allocate(PIECE);
            channel.position(mark);
            while (channel.read(buffer) >= 0) {
                int used = lines(buffer, requests);
                buffer.flip().position(used);
                if (used == 0 && buffer.limit() == buffer.capacity()) {
                    throw new IOException("a line is longer than " + PIECE + " bytes");
                }
                buffer.compact();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the audit log cannot be read", e);
        }
        return requests;
    }

    private int lines(ByteBuffer buffer, List<LoggedRequest> requests) throws IOException {
        int from = 0;
        for (int i = 0; i < buffer.position(); i++) {
            if (buffer.get(i) == '\n') {
                AuditLine.read(buffer.array(), from, i - from).filter(controllers).ifPresent(requests::add);
                from = i + 1;
            }
        }
        return from;
    }
}
