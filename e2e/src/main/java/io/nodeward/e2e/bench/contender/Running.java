package io.nodeward.e2e.bench.contender;

import io.nodeward.e2e.bench.load.ProcessUsage;
import io.nodeward.e2e.controlplane.LoggedProcess;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** The processes of a contender. They end with this JVM at the latest. */
public final class Running implements AutoCloseable {
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final List<LoggedProcess> processes;

    Running(List<LoggedProcess> processes) {
        this.processes = List.copyOf(processes);
    }

    Running and(Running other) {
        return new Running(Stream.concat(processes.stream(), other.processes.stream()).toList());
    }

    /** {@link System#nanoTime} just before the first was started. */
    public long startedAt() {
        return processes.getFirst().startedAt();
    }

    public List<Long> pids() {
        return processes.stream().map(LoggedProcess::pid).toList();
    }

    /** MiB of all together; empty if one has ended. */
    public OptionalDouble peakRssMib() {
        return sum(ProcessUsage::peakRssMib);
    }

    /** MiB of all together; empty if one has ended. */
    public OptionalDouble rssMib() {
        return sum(ProcessUsage::rssMib);
    }

    private OptionalDouble sum(LongFunction<OptionalDouble> figure) {
        List<OptionalDouble> each = pids().stream().map(figure::apply).toList();
        return each.stream().allMatch(OptionalDouble::isPresent)
                ? OptionalDouble.of(each.stream().mapToDouble(OptionalDouble::getAsDouble).sum())
                : OptionalDouble.empty();
    }

    /** @throws IllegalStateException with the end of its log if one has ended */
    public void check() {
        for (LoggedProcess process : processes) {
            if (!process.isAlive()) {
                throw new IllegalStateException("the controller has ended:\n" + process.tail());
            }
        }
    }

    /** The ends of their logs. */
    public String tail() {
        return String.join("\n", processes.stream().map(LoggedProcess::tail).toList());
    }

    /** Ends them at once, as a machine that fails does. */
    public void kill() {
        processes.forEach(LoggedProcess::close);
    }

    /**
     * Ends them with SIGTERM, as Kubernetes does.
     *
     * @throws IllegalStateException if one had to be killed; all have ended then as well
     */
    @Override
    public void close() {
        RuntimeException failure = null;
        for (LoggedProcess process : processes) {
            try {
                process.terminate(GRACE);
            } catch (RuntimeException e) {
                process.close();
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
