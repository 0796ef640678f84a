package io.nodeward.e2e.bench;

import java.util.Map;
import java.util.TreeMap;

/**
 * What one run of one contender in one scenario took. Samples of one scenario with the same pair ran beside each other
 * and may be divided by each other; those of different pairs may not.
 *
 * @param scenario {@code drain-2000}
 * @param contender {@code nodeward-fabric8}, {@code upstream}, {@code ideal}
 * @param pair counted from 1
 * @param figures by name, which ends with the unit: {@code last_node_s}, {@code cpu_ms_per_node}
 * @param series values in order, for plots: {@code latency_ms}
 */
public record Sample(
        String scenario, String contender, int pair, Map<String, Double> figures, Map<String, double[]> series) {
    public Sample {
        figures = new TreeMap<>(figures);
        series = new TreeMap<>(series);
    }
}
