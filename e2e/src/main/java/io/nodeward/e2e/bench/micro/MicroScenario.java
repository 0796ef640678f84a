package io.nodeward.e2e.bench.micro;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Plans and projections in a JVM of their own, one thread, with the collector that the controller runs with. It is
 * one sample, whatever the pairs: there is nobody beside it, and it repeats by itself.
 */
public final class MicroScenario implements Scenario {
    private final int warmups;
    private final int iterations;
    private final TimeValue iteration;

    /** About three minutes. */
    public MicroScenario() {
        this(8, 5, 1000);
    }

    /**
     * @param warmups iterations before those that count
     * @param iterations that count
     * @param millis of each
     */
    public MicroScenario(int warmups, int iterations, long millis) {
        this.warmups = warmups;
        this.iterations = iterations;
        this.iteration = TimeValue.milliseconds(millis);
    }

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public void run(int pairs, Consumer<Sample> samples) {
        samples.accept(new Sample(name(), "nodeward", 1, figures(measured()), Map.of()));
    }

    private Collection<RunResult> measured() {
        Options options = new OptionsBuilder()
                .include(PlanBenchmark.class.getName())
                .include(ProjectionBenchmark.class.getName())
                .forks(1)
                .warmupIterations(warmups)
                .warmupTime(iteration)
                .measurementIterations(iterations)
                .measurementTime(iteration)
                .jvmArgs("-XX:+UseSerialGC", "-Xmx256m", "-Xmn32m", "-XX:+UseCompactObjectHeaders")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        try {
            return new Runner(options).run();
        } catch (RunnerException e) {
            throw new IllegalStateException("a benchmark failed", e);
        }
    }

    private static Map<String, Double> figures(Collection<RunResult> results) {
        Map<String, Double> figures = new TreeMap<>();
        for (RunResult result : results) {
            String benchmark = result.getParams().getBenchmark();
            double nanos = score(result, "nanos") / score(result, "calls");
            double bytes = score(result, "gc.alloc.rate.norm");
            switch (benchmark.substring(benchmark.lastIndexOf('.') + 1)) {
                case "converged" -> time(figures, "plan", nanos, bytes);
                case "oneChanged" -> time(figures, "plan_changed", nanos, bytes);
                case "manyNew" -> time(figures, "plan_50_taints", nanos, bytes);
                case "node" -> rate(figures, "projection", ProjectionBenchmark.NODES, nanos, bytes);
                case "machine" -> rate(figures, "machine_projection", ProjectionBenchmark.MACHINES, nanos, bytes);
                case "event" -> rate(figures, "event", ProjectionBenchmark.EVENTS, nanos, bytes);
                case "heartbeat" -> rate(figures, "heartbeat", ProjectionBenchmark.EVENTS, nanos, bytes);
                default -> throw new IllegalStateException("no figure for " + benchmark);
            }
        }
        return figures;
    }

    private static double score(RunResult result, String name) {
        return Objects.requireNonNull(result.getSecondaryResults().get(name), name).getScore();
    }

    /** CPU time, as all here. */
    private static void time(Map<String, Double> figures, String name, double nanos, double bytes) {
        figures.put(name + "_ns", nanos);
        figures.put(name + "_bytes", bytes);
    }

    /** Bytes per nanosecond are thousands of megabytes per second. */
    private static void rate(
            Map<String, Double> figures, String name, byte[][] objects, double nanos, double bytes) {
        figures.put(name + "_mb_per_s", 1000 * ProjectionBenchmark.size(objects) / nanos);
        figures.put(name + "_bytes", bytes);
    }
}
