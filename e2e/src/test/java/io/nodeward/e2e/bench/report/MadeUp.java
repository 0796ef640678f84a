package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Samples nobody measured, whose medians are known. */
final class MadeUp {
    private final List<Sample> samples = new ArrayList<>();

    /** One run per value, in pairs from 1, on a fleet of 2,000 Nodes where the name of the scenario does not say it. */
    MadeUp figure(String scenario, String contender, String figure, double... values) {
        return figureOf(scenario.matches(".*-\\d+|micro") ? Map.of() : Map.of("fleet", 2000.0),
                scenario, contender, figure, values);
    }

    /** The same, with these figures in each run. */
    MadeUp figureOf(
            Map<String, Double> also, String scenario, String contender, String figure, double... values) {
        for (int i = 0; i < values.length; i++) {
            Map<String, Double> figures = new HashMap<>(also);
            figures.put(figure, values[i]);
            samples.add(new Sample(scenario, contender, i + 1, figures, Map.of()));
        }
        return this;
    }

    MadeUp run(String scenario, String contender, int pair, Map<String, Double> figures, Map<String, double[]> series) {
        samples.add(new Sample(scenario, contender, pair, figures, series));
        return this;
    }

    List<Sample> list() {
        return List.copyOf(samples);
    }

    Samples samples() {
        return new Samples(samples);
    }

    /** Values as a whole run has them: five pairs, of each kind of scenario, with series of 2,000 Nodes. */
    static MadeUp wholeRun() {
        MadeUp run = new MadeUp();
        for (int pair = 1; pair <= 5; pair++) {
            for (Contender contender : Contender.values()) {
                run.drain(contender, pair);
                run.burst(contender, pair);
                if (contender.word.startsWith("nodeward")) {
                    run.run("served-10000", contender.word, pair,
                            Map.of("peak_rss_mib", 160.0 + pair, "live_heap_mib", 32.0, "rss_mib", 158.25), Map.of());
                    run.run("served-50000", contender.word, pair,
                            Map.of("peak_rss_mib", 280.0 + pair, "live_heap_mib", 77.0, "rss_mib", 270.5), Map.of());
                }
            }
        }
        return run;
    }

    private enum Contender {
        IDEAL("ideal", 450),
        FABRIC8("nodeward-fabric8", 400),
        OFFICIAL("nodeward-official", 430),
        RAISED("upstream-raised", 55),
        UPSTREAM("upstream", 20);

        private final String word;
        private final double rate;

        Contender(String word, double rate) {
            this.word = word;
            this.rate = rate;
        }
    }

    private void drain(Contender contender, int pair) {
        double rate = contender.rate + pair;
        double[] seen = IntStream.range(0, 2000).mapToDouble(i -> i / rate * (1 + 0.1 * Math.sin(i / 90.0))).toArray();
        run("drain-2000", contender.word, pair, Map.of("nodes_per_s", rate, "last_node_s", 2000 / rate,
                "patches_per_node", 1.0, "other_requests", contender.rate < 100 ? 4123.0 : 0, "cpu_s", 5.0),
                Map.of("seen_s", seen));
    }

    private void burst(Contender contender, int pair) {
        double rate = contender.rate / 3;
        double[] latency = IntStream.range(0, 2000)
                .mapToDouble(i -> 1000 / rate * (1 + Math.abs(Math.sin(i * 1.7))) + i / rate).toArray();
        run("burst-2000", contender.word, pair, Map.of("nodes_per_s", rate + pair, "last_node_s", 2000 / rate,
                "latency_p50_ms", 500 / rate, "latency_p99_ms", 2000 / rate, "patches_per_node", 1.0,
                "other_requests", 0.0, "conflicts", 0.0, "cpu_ms_per_node", 200 / rate), Map.of("latency_ms", latency));
    }
}
