package io.nodeward.e2e.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A figure in which Nodeward is behind somebody, in the median of the pairs both took part in.
 *
 * @param ours of those pairs
 * @param theirs of those pairs
 */
record Loss(String nodeward, String other, String figure, Spread ours, Spread theirs) {
    /** What a client that knows all beforehand can be compared in; it has no start to wait for, and watches itself. */
    private static final Set<String> OF_IDEAL = Set.of("nodes_per_s", "p50_ms", "p99_ms");

    /** What more work takes more of. */
    private static final Set<String> TOTALS = Set.of("cpu_s", "apiserver_cpu_s", "settled_s", "last_node_s");

    static List<Loss> in(Samples samples, String scenario) {
        List<Loss> losses = new ArrayList<>();
        for (String nodeward : samples.contenders(scenario)) {
            if (!isNodeward(nodeward)) {
                continue;
            }
            for (String other : samples.contenders(scenario)) {
                boolean same = between(samples, scenario, nodeward, other, "patches").isEven();
                Shown.figures(samples, scenario).stream().filter(figure -> compared(other, figure))
                        .filter(figure -> same || !TOTALS.contains(figure))
                        .map(figure -> between(samples, scenario, nodeward, other, figure))
                        .filter(Loss::isOne)
                        .forEach(losses::add);
            }
        }
        return losses;
    }

    private static boolean isNodeward(String contender) {
        return contender.contains("nodeward");
    }

    private static boolean compared(String other, String figure) {
        return Shown.isRace(figure) && !isNodeward(other) && !other.endsWith("-alone")
                && (!other.equals("ideal") || OF_IDEAL.contains(figure));
    }

    private static Loss between(Samples samples, String scenario, String nodeward, String other, String figure) {
        Map<Integer, Double> ours = new TreeMap<>(samples.byPair(scenario, nodeward, figure));
        Map<Integer, Double> theirs = new TreeMap<>(samples.byPair(scenario, other, figure));
        ours.keySet().retainAll(theirs.keySet());
        theirs.keySet().retainAll(ours.keySet());
        return new Loss(nodeward, other, figure, Spread.of(ours.values()), Spread.of(theirs.values()));
    }

    /** Whether both had about as much to do, or nothing is said of it. */
    private boolean isEven() {
        return ours.count() == 0 || theirs.count() == 0 || ours.median() <= 1.1 * theirs.median();
    }

    private boolean isOne() {
        double ahead = ours.median() - theirs.median(); // not a number, and so no loss, where one was not measured
        return Shown.moreIsBetter(figure) ? ahead < 0 : ahead > 0;
    }

    String text() {
        return "%s loses to %s in %s: %s against %s, %s".formatted(nodeward, other, figure,
                Digits.text(ours.median()), Digits.text(theirs.median()), Digits.pairs(ours.count()));
    }
}
