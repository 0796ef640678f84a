package io.nodeward.e2e.bench.report;

import java.util.Locale;

/** Numbers with as many digits as a measurement is worth. */
final class Digits {
    private Digits() {}

    /** At least three digits that count, and in small numbers three behind the point, so that 1.0005 is not 1. */
    static String text(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value)) {
            return "unknown";
        }
        if (value == Math.rint(value) || size >= 100) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        String text = String.format(Locale.ROOT, size >= 10 ? "%.1f" : size >= 0.01 ? "%.3f" : "%.2g", value);
        return text.contains("e") ? text : text.replaceFirst("\\.?0+$", "");
    }

    static String pairs(int count) {
        return count == 1 ? "1 pair" : count + " pairs";
    }
}
