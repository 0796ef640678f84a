package io.nodeward.e2e.bench.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * One direction of a picture: values and where they are.
 *
 * @param from pixel of {@code least}
 * @param to pixel of {@code most}
 */
record Axis(double least, double most, boolean logarithmic, double from, double to) {
    private static final int TICKS = 6;
    private static final double[] STEPS = {1, 2, 5, 10};
    private static final double LEAST_SPAN = 1e-9;

    /** Wide enough for all values; a linear one begins at 0, and a logarithmic one with a power of ten. */
    static Axis of(DoubleStream values, boolean logarithmic, double from, double to) {
        double[] all = values.toArray();
        double most = Arrays.stream(all).max().orElse(1);
        if (!logarithmic) {
            return new Axis(0, Math.max(most, LEAST_SPAN), false, from, to);
        }
        double least = Math.floor(Math.log10(Arrays.stream(all).min().orElse(1)));
        double end = Math.ceil(Math.log10(most));
        return new Axis(Math.pow(10, least), Math.pow(10, Math.max(end, least + 1)), true, from, to);
    }

    double pixel(double value) {
        double share = logarithmic
                ? (Math.log10(value) - Math.log10(least)) / (Math.log10(most) - Math.log10(least))
                : (value - least) / (most - least);
        return from + share * (to - from);
    }

    /** Round values that a grid shows. */
    double[] ticks() {
        if (logarithmic) {
            int first = (int) Math.round(Math.log10(least));
            int last = (int) Math.round(Math.log10(most));
            return IntStream.rangeClosed(first, last).mapToDouble(power -> Math.pow(10, power)).toArray();
        }
        double rough = most / TICKS;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        double step = power * Arrays.stream(STEPS).filter(s -> s * power >= rough).findFirst().orElse(1);
        return IntStream.rangeClosed(0, (int) Math.floor(most / step + LEAST_SPAN)).mapToDouble(i -> i * step)
                .toArray();
    }
}
