package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.controlplane.AuditRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Collects what a run took. What is not known is left out. */
final class Figures {
    private static final double NANOS_PER_MS = 1e6;
    private static final double NANOS_PER_S = 1e9;
    private static final double MS_PER_S = 1e3;

    private final Map<String, Double> values = new TreeMap<>();
    private final Map<String, double[]> series = new TreeMap<>();

    Figures put(String name, double value) {
        values.put(name, value);
        return this;
    }

    Figures put(String name, OptionalDouble value) {
        value.ifPresent(known -> values.put(name, known));
        return this;
    }

    Figures seconds(String name, long nanos) {
        return put(name, nanos / NANOS_PER_S);
    }

    Figures series(String name, double[] inOrder) {
        series.put(name, inOrder);
        return this;
    }

    /** {@code <prefix>p50_ms} and the like. */
    Figures distribution(String prefix, double[] millis) {
        if (millis.length == 0) {
            return this;
        }
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        put(prefix + "p50_ms", at(sorted, 0.50)).put(prefix + "p90_ms", at(sorted, 0.90));
        return put(prefix + "p99_ms", at(sorted, 0.99)).put(prefix + "max_ms", sorted[sorted.length - 1]);
    }

    private static double at(double[] sorted, double share) {
        return sorted[Math.min(sorted.length - 1, (int) (share * sorted.length))];
    }

    /** @param requests that are counted; see {@link Requests} */
    Figures requests(List<AuditRequest> requests, int changes) {
        long patches = requests.stream().filter(Requests::isNodePatch).count();
        put("patches_per_node", (double) patches / changes);
        put("patches", patches).put("other_requests", requests.size() - patches);
        return put("conflicts", requests.stream().filter(Requests::isConflict).count());
    }

    /** What everyone took. */
    Figures cpu(CpuTimes taken) {
        put("cpu_s", taken.controllers()).put("apiserver_cpu_s", taken.apiServer());
        return put("etcd_cpu_s", taken.etcd()).put("bench_cpu_s", taken.bench());
    }

    Figures cpuPer(String name, OptionalDouble seconds, double things) {
        seconds.ifPresent(s -> put(name, s * MS_PER_S / things));
        return this;
    }

    Sample sample(String scenario, String contender, int pair) {
        return new Sample(scenario, contender, pair, values, series);
    }

    /** Milliseconds from one time to the other. */
    static double millis(long from, long to) {
        return (to - from) / NANOS_PER_MS;
    }

    /** Seconds from one time to each. */
    static double[] secondsSince(long from, long[] times) {
        return Arrays.stream(times).mapToDouble(time -> (time - from) / NANOS_PER_S).toArray();
    }
}
