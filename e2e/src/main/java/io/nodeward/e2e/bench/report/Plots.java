package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.report.Plot.Line;
import io.nodeward.e2e.bench.report.Plot.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The pictures that samples have values for; of several runs of a contender they show the one in the middle. */
final class Plots {
    private static final String SEEN = "seen_s";
    private static final String LATENCY = "latency_ms";
    /** Scenarios that differ in the number of Nodes alone. */
    private static final String SCALE = "served-";
    /** How much longer than the fastest the time axis of a drain is. */
    private static final double LONGER = 4;
    private static final double LEAST_MS = 0.01;
    private static final double PERCENT = 100;

    private final Samples samples;

    private Plots(Samples samples) {
        this.samples = samples;
    }

    static List<Plot> of(Samples samples) {
        Plots plots = new Plots(samples);
        Stream<Plot> all = Stream.concat(
                samples.scenarios().stream().flatMap(plots::ofScenario), Stream.of(plots.memory()));
        return all.filter(plot -> !plot.lines().isEmpty()).toList();
    }

    private Stream<Plot> ofScenario(String scenario) {
        Plot overTime = new Plot(scenario, scenario + "-over-time.svg",
                scenario + ": latency over time, smoothed", "change", "milliseconds from Machine to Node", "y",
                lines(scenario, LATENCY, Plots::overTime));
        return Stream.of(drain(scenario), distribution(scenario), overTime)
                .filter(plot -> plot != overTime || scenario.startsWith("burst"));
    }

    private List<Line> lines(String scenario, String series, Drawing line) {
        return samples.contenders(scenario).stream()
                .filter(contender -> samples.middle(scenario, contender, series).length > 0)
                .map(contender -> line.of(contender, samples.middle(scenario, contender, series)))
                .toList();
    }

    private interface Drawing {
        Line of(String contender, double[] values);
    }

    private Plot drain(String scenario) {
        double fastest = samples.contenders(scenario).stream()
                .map(contender -> samples.middle(scenario, contender, SEEN))
                .filter(seen -> seen.length > 0)
                .mapToDouble(seen -> Arrays.stream(seen).max().orElse(0))
                .min().orElse(0);
        String since = scenario.startsWith("drain") ? "the first of them" : "the first trigger";
        return new Plot(scenario, scenario + ".svg",
                scenario + ": changed Nodes since " + since + "; the axis ends at " + (int) LONGER + "x the fastest",
                "seconds", "Nodes", "",
                lines(scenario, SEEN, (contender, seen) -> counted(contender, seen, fastest * LONGER)));
    }

    private static Line counted(String contender, double[] seen, double end) {
        double[] sorted = Arrays.stream(seen).sorted().filter(time -> time <= end).toArray();
        double[] counts = IntStream.rangeClosed(1, sorted.length).mapToDouble(i -> i).toArray();
        return new Line(contender, contender, sorted, counts, Style.PLAIN);
    }

    private Plot distribution(String scenario) {
        return new Plot(scenario, scenario + "-latency.svg", scenario + ": how many are on their Node how soon",
                "milliseconds from Machine to Node", "percent", "x",
                lines(scenario, LATENCY, Plots::cumulative));
    }

    private static Line cumulative(String contender, double[] latency) {
        double[] sorted = Arrays.stream(latency).map(ms -> Math.max(ms, LEAST_MS)).sorted().toArray();
        double[] percent = IntStream.rangeClosed(1, sorted.length).mapToDouble(i -> PERCENT * i / sorted.length)
                .toArray();
        return new Line(contender, contender, sorted, percent, Style.PLAIN);
    }

    // The mean of neighbours: single values are a cloud in which nothing is seen.
    private static Line overTime(String contender, double[] latency) {
        int parts = Math.min(latency.length, 60);
        double[] x = new double[parts];
        double[] y = new double[parts];
        for (int part = 0; part < parts; part++) {
            int from = part * latency.length / parts;
            int to = (part + 1) * latency.length / parts;
            x[part] = (from + to) / 2.0;
            y[part] = Math.max(LEAST_MS, Arrays.stream(latency, from, to).average().orElseThrow());
        }
        return new Line(contender, contender, x, y, Style.PLAIN);
    }

    private Plot memory() {
        List<Line> lines = new ArrayList<>();
        for (String figure : List.of("peak_rss_mib", "live_heap_mib")) {
            Map<String, TreeMap<Double, Double>> points = new TreeMap<>();
            samples.scenarios().stream().filter(scenario -> scenario.startsWith(SCALE)).forEach(scenario -> {
                double nodes = Double.parseDouble(scenario.substring(SCALE.length()));
                samples.contenders(scenario).forEach(contender -> {
                    Spread spread = Spread.of(samples.byPair(scenario, contender, figure).values());
                    if (spread.isKnown()) {
                        points.computeIfAbsent(contender, c -> new TreeMap<>()).put(nodes, spread.median());
                    }
                });
            });
            Style style = figure.startsWith("peak") ? Style.POINTS : Style.DASHED_POINTS;
            String what = figure.startsWith("peak") ? ", peak RSS" : ", live heap";
            points.forEach((contender, at) -> lines.add(new Line(contender + what, contender, doubles(at.keySet()),
                    doubles(at.values()), style)));
        }
        return new Plot("", "memory.svg", "Memory of the controller, 10,000 of the Nodes with a Machine", "Nodes",
                "MiB", "",
                lines);
    }

    private static double[] doubles(Collection<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
