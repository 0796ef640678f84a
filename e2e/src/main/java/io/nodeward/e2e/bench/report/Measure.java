package io.nodeward.e2e.bench.report;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;

/** How a number is computed from samples, pair by pair. */
sealed interface Measure {
    /** By number of the pair; pairs for which a part is missing are left out. */
    Map<Integer, Double> byPair(Samples samples);

    /** Which it is of, or first of. */
    String scenario();

    /** As a reader of the page would repeat it. */
    String words();

    /** A figure as it is. */
    record Figure(String scenario, String contender, String figure) implements Measure {
        @Override
        public Map<Integer, Double> byPair(Samples samples) {
            return samples.byPair(scenario, contender, figure);
        }

        @Override
        public String words() {
            return scenario + " " + contender + " " + figure;
        }
    }

    /** One divided by another. */
    record Ratio(Measure dividend, Measure divisor) implements Measure {
        @Override
        public String scenario() {
            return dividend.scenario();
        }

        @Override
        public Map<Integer, Double> byPair(Samples samples) {
            return combined(dividend.byPair(samples), divisor.byPair(samples), (a, b) -> a / b);
        }

        @Override
        public String words() {
            return dividend.words() + " / " + divisor.words();
        }
    }

    /** Two of them added. */
    record Sum(Measure one, Measure other) implements Measure {
        @Override
        public String scenario() {
            return one.scenario();
        }

        @Override
        public Map<Integer, Double> byPair(Samples samples) {
            return combined(one.byPair(samples), other.byPair(samples), Double::sum);
        }

        @Override
        public String words() {
            return "(" + one.words() + " + " + other.words() + ")";
        }
    }

    /** What one unit more costs: the difference of two figures, times and by constants. */
    record Slope(Measure large, Measure small, double factor, double units) implements Measure {
        @Override
        public String scenario() {
            return large.scenario();
        }

        @Override
        public Map<Integer, Double> byPair(Samples samples) {
            return combined(large.byPair(samples), small.byPair(samples), (a, b) -> (a - b) * factor / units);
        }

        @Override
        public String words() {
            return "(%s - %s) / %s".formatted(large.words(), small.words(), Digits.text(units));
        }
    }

    private static Map<Integer, Double> combined(
            Map<Integer, Double> some, Map<Integer, Double> others, DoubleBinaryOperator operator) {
        Map<Integer, Double> combined = new TreeMap<>();
        some.forEach((pair, value) -> {
            Double other = others.get(pair);
            if (other != null) {
                combined.put(pair, operator.applyAsDouble(value, other));
            }
        });
        return combined;
    }
}
