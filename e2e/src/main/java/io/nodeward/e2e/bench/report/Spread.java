package io.nodeward.e2e.bench.report;

import java.util.Collection;

/**
 * Several values of one thing. One value that is not a number makes all of them unknown, as nobody knows whether the
 * others would be worth as much.
 *
 * @param count of values; 0 if there is none, and then the rest is NaN
 */
record Spread(double median, double min, double max, int count) {
    static Spread of(Collection<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int count = sorted.length;
        if (count == 0 || !values.stream().allMatch(Double::isFinite)) {
            return new Spread(Double.NaN, Double.NaN, Double.NaN, count);
        }
        double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
        return new Spread(median, sorted[0], sorted[count - 1], count);
    }

    boolean isKnown() {
        return Double.isFinite(median);
    }

    /** The median, and in brackets what lies around it; without the count. */
    String text() {
        if (!isKnown()) {
            return "not measured";
        }
        return min == max ? Digits.text(median)
                : "%s (%s-%s)".formatted(Digits.text(median), Digits.text(min), Digits.text(max));
    }
}
