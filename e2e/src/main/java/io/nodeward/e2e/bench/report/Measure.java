package io.nodeward.e2e.bench.report;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.Function;

/**
 * How a number is computed from samples, pair by pair.
 *
 * @param scenario that it is of, or first of
 * @param words as a reader of the page would repeat it
 * @param byPair by the number of the pair; pairs for which a part is missing are left out
 */
record Measure(String scenario, String words, Function<Samples, Map<Integer, Double>> byPair) {
    /** Returns a figure as it is. */
    static Measure figure(String scenario, String contender, String figure) {
        return new Measure(scenario, scenario + " " + contender + " " + figure,
                samples -> samples.byPair(scenario, contender, figure));
    }

    /** Returns this one divided by another. */
    Measure per(Measure divisor) {
        return with(divisor, words + " / " + divisor.words, (a, b) -> a / b);
    }

    /** Returns the two of them added. */
    Measure plus(Measure other) {
        return with(other, "(" + words + " + " + other.words + ")", Double::sum);
    }

    /** Returns what one unit more costs: the difference to a figure of so many units less, times a factor. */
    Measure slope(Measure small, double factor, double units) {
        return with(small, "(%s - %s) / %s".formatted(words, small.words, Digits.text(units)),
                (a, b) -> (a - b) * factor / units);
    }

    private Measure with(Measure other, String text, DoubleBinaryOperator operator) {
        return new Measure(scenario, text, samples -> {
            Map<Integer, Double> others = other.byPair.apply(samples);
            Map<Integer, Double> combined = new TreeMap<>();
            byPair.apply(samples).forEach((pair, value) -> Optional.ofNullable(others.get(pair))
                    .ifPresent(found -> combined.put(pair, operator.applyAsDouble(value, found))));
            return combined;
        });
    }
}
