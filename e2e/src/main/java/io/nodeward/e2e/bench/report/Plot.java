package io.nodeward.e2e.bench.report;

import java.util.Arrays;
import java.util.List;

/**
 * A picture of how many Nodes have changed over time; of several runs of a contender the one in the middle.
 *
 * @param lines none of a scenario that took no such times
 */
record Plot(String scenario, List<Line> lines) {
    private static final String SEEN = "seen_s";
    /** How much longer than the fastest the time axis is. */
    private static final int LONGER = 4;

    /** @param seconds at which one more Node had changed, in order */
    record Line(String contender, double[] seconds) {}

    Plot {
        lines = List.copyOf(lines);
    }

    static List<Plot> of(Samples samples) {
        return samples.scenarios().stream().map(scenario -> new Plot(scenario, lines(samples, scenario)))
                .filter(plot -> !plot.lines().isEmpty()).toList();
    }

    private static List<Line> lines(Samples samples, String scenario) {
        List<Line> all = samples.contenders(scenario).stream()
                .map(contender -> new Line(contender, samples.middle(scenario, contender, SEEN)))
                .filter(line -> line.seconds().length > 0).toList();
        double end = LONGER * all.stream().mapToDouble(line -> Arrays.stream(line.seconds()).max().orElseThrow())
                .min().orElse(0);
        return all.stream().map(line -> new Line(line.contender(),
                Arrays.stream(line.seconds()).filter(time -> time <= end).sorted().toArray())).toList();
    }

    String file() {
        return scenario + ".svg";
    }

    String title() {
        String since = scenario.startsWith("drain") || scenario.startsWith("takeover")
                ? "the first of them" : "the first trigger";
        return scenario + ": changed Nodes since " + since + "; the axis ends at " + LONGER + "x the fastest";
    }
}
