package io.nodeward.e2e.bench.load;

import java.util.List;
import java.util.OptionalDouble;

/**
 * CPU seconds of everyone who takes part in a run, at one moment.
 *
 * @param controllers together; empty if one has ended
 * @param bench of this JVM, which is also the ideal client
 */
public record CpuTimes(OptionalDouble controllers, OptionalDouble apiServer, OptionalDouble etcd,
        OptionalDouble bench) {
    static CpuTimes of(List<Long> controllers, long apiServer, long etcd) {
        return new CpuTimes(
                sum(controllers),
                ProcessUsage.cpuSeconds(apiServer),
                ProcessUsage.cpuSeconds(etcd),
                ProcessUsage.cpuSeconds(ProcessHandle.current().pid()));
    }

    /** What was taken since then. */
    public CpuTimes since(CpuTimes before) {
        return new CpuTimes(
                difference(controllers, before.controllers),
                difference(apiServer, before.apiServer),
                difference(etcd, before.etcd),
                difference(bench, before.bench));
    }

    private static OptionalDouble sum(List<Long> pids) {
        double sum = 0;
        for (long pid : pids) {
            OptionalDouble one = ProcessUsage.cpuSeconds(pid);
            if (one.isEmpty()) {
                return one;
            }
            sum += one.getAsDouble();
        }
        return OptionalDouble.of(sum);
    }

    private static OptionalDouble difference(OptionalDouble after, OptionalDouble before) {
        return after.isPresent() && before.isPresent()
                ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
                : OptionalDouble.empty();
    }
}
