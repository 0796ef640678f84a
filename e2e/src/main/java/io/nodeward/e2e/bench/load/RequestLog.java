package io.nodeward.e2e.bench.load;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The API server's record of the controllers' requests. Nothing of it is parsed while a run is going on.
 *
 * @param controllers whose requests count
 */
public record RequestLog(AuditLog audit, Predicate<AuditRequest> controllers) {
    private static final Duration POLL = Duration.ofMillis(20);
    private static final Duration QUIET = Duration.ofSeconds(3);
    private static final Duration SETTLED_AT_MOST = Duration.ofMinutes(5);

    /**
     * The end of a run.
     *
     * @param lastRequest {@link System#nanoTime} at which the last request was seen, to 20 ms
     * @param cpu taken just then, so that the waiting that found it out is not in it
     */
    public record Settled(long lastRequest, CpuTimes cpu) {}

    public AuditLog.Mark mark() {
        return audit.mark();
    }

    /** Waits until nothing was logged for three seconds. */
    public Settled settled(Supplier<CpuTimes> cpu) {
        long start = System.nanoTime();
        AuditLog.Mark size = mark();
        Settled last = new Settled(start, cpu.get());
        while (System.nanoTime() - last.lastRequest() < QUIET.toNanos()) {
            Pause.of(POLL);
            AuditLog.Mark now = mark();
            if (!now.equals(size)) {
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
    public List<AuditRequest> since(AuditLog.Mark mark) {
        return audit.since(mark).filter(controllers).toList();
    }
}
