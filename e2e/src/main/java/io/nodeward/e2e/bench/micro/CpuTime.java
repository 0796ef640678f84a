package io.nodeward.e2e.bench.micro;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** CPU time of the measuring thread: on a machine that others use as well, the time on the clock is theirs too. */
@AuxCounters(AuxCounters.Type.EVENTS)
@State(Scope.Thread)
public class CpuTime {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Of all iterations that count. */
    public long nanos;
    /** Of the benchmark, in the same time. */
    public long calls;

    private long start;

    @Setup(Level.Iteration)
    public void start() {
        calls = 0;
        start = THREADS.getCurrentThreadCpuTime();
    }

    @TearDown(Level.Iteration)
    public void stop() {
        nanos = THREADS.getCurrentThreadCpuTime() - start;
    }
}
