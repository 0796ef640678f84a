package io.nodeward.e2e.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A picture of lines.
 *
 * @param scenario empty for one of several
 * @param logarithmic axes: {@code x}, {@code y}, {@code xy} or empty
 */
record Plot(String scenario, String file, String title, String x, String y, String logarithmic, List<Line> lines) {
    /** More points than that in a line are seen by nobody, and make large files. */
    private static final int POINTS = 200;

    /**
     * One line.
     *
     * @param contender that it is of, which gives it its colour
     */
    record Line(String name, String contender, double[] x, double[] y, Style style) {
        /** Evenly chosen points, with the first and the last. */
        Line thinned() {
            if (x.length <= POINTS) {
                return this;
            }
            int[] kept = IntStream.range(0, POINTS).map(i -> (int) ((long) i * (x.length - 1) / (POINTS - 1)))
                    .toArray();
            return new Line(name, contender, Arrays.stream(kept).mapToDouble(i -> x[i]).toArray(),
                    Arrays.stream(kept).mapToDouble(i -> y[i]).toArray(), style);
        }
    }

    /** How a line is drawn. */
    enum Style {
        PLAIN,
        /** With a point at each value. */
        POINTS,
        /** The same, for a second line of a contender. */
        DASHED_POINTS
    }

    Plot {
        lines = List.copyOf(lines);
    }
}
