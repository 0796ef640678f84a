package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.report.Plot.Line;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Draws a plot by hand, so that text stays text and a file has some kilobytes. Charting libraries draw text as outlines of glyphs
 * that depend on the fonts of the machine.
 */
final class Svg {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 400;
    private static final int LEFT = 70;
    private static final int RIGHT = 600;
    private static final int TOP = 40;
    private static final int BOTTOM = 345;
    private static final int LINE_HEIGHT = 20;
    private static final int LEGEND_LINE = 24;
    /** Nobody sees more points in a line. */
    private static final int POINTS = 200;
    private static final int TICKS = 6;
    private static final List<String> KNOWN = List.of("ideal", "nodeward-fabric8", "nodeward-official",
            "upstream-raised", "upstream", "triggers-alone", "patches-alone");
    /** Colours that most colour-blind readers tell apart. The same contender has the same in each picture. */
    private static final List<String> COLORS = List.of("#000000", "#0072b2", "#009e73", "#d55e00", "#e69f00",
            "#888888", "#56b4e9", "#cc79a7");

    private final StringBuilder out = new StringBuilder();
    private final Plot plot;
    private final double seconds;
    private final double nodes;

    private Svg(Plot plot) {
        this.plot = plot;
        this.seconds = plot.lines().stream().flatMapToDouble(line -> Arrays.stream(line.seconds())).max().orElse(1);
        this.nodes = plot.lines().stream().mapToInt(line -> line.seconds().length).max().orElse(1);
    }

    static String of(Plot plot) {
        Svg svg = new Svg(plot);
        svg.draw();
        return svg.out.toString();
    }

    private void draw() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                + "font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">", WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<title>%s</title>", plot.title());
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        add("<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>", LEFT, plot.title());
        grid();
        IntStream.range(0, plot.lines().size()).forEach(i -> line(plot.lines().get(i), i));
        add("</svg>");
    }

    private void grid() {
        ticks(seconds).forEach(tick -> {
            add("<path d=\"M%.1f %dV%d\" stroke=\"#dddddd\"/>", x(tick), TOP, BOTTOM);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", x(tick), BOTTOM + 18, Digits.text(tick));
        });
        ticks(nodes).forEach(tick -> {
            add("<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>", LEFT, y(tick), RIGHT);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, y(tick) + 4, Digits.text(tick));
        });
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">seconds</text>", (LEFT + RIGHT) / 2, BOTTOM + 40);
        int middle = (TOP + BOTTOM) / 2;
        add("<text x=\"16\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 16 %d)\">Nodes</text>", middle,
                middle);
    }

    /** Returns round values from 0 on. */
    private static DoubleStream ticks(double most) {
        double power = Math.pow(10, Math.floor(Math.log10(most / TICKS)));
        double step =
                power * DoubleStream.of(1, 2, 5, 10).filter(s -> s * power >= most / TICKS).findFirst().orElse(10);
        return IntStream.rangeClosed(0, (int) (most / step)).mapToDouble(i -> i * step);
    }

    private double x(double time) {
        return LEFT + time / seconds * (RIGHT - LEFT);
    }

    private double y(double count) {
        return BOTTOM - count / nodes * (BOTTOM - TOP);
    }

    private void line(Line line, int number) {
        String stroke = "stroke=\"" + color(line.contender()) + "\" stroke-width=\"2\"";
        int last = line.seconds().length - 1;
        String points = IntStream.rangeClosed(0, Math.min(last, POINTS))
                .map(i -> last <= POINTS ? i : (int) ((long) i * last / POINTS))
                .mapToObj(i -> text("%.1f,%.1f", x(line.seconds()[i]), y(i + 1))).collect(Collectors.joining(" "));
        add("<polyline fill=\"none\" %s points=\"%s\"/>", stroke, points);
        int at = TOP + 10 + number * LINE_HEIGHT;
        add("<path d=\"M%d %dh%d\" %s/>", RIGHT + 16, at - 4, LEGEND_LINE, stroke);
        add("<text x=\"%d\" y=\"%d\">%s</text>", RIGHT + 16 + LEGEND_LINE + 6, at, line.contender());
    }

    private static String color(String contender) {
        int place = KNOWN.indexOf(contender);
        return COLORS.get(place < 0 ? COLORS.size() - 1 : place);
    }

    private void add(String format, Object... values) {
        out.append(text(format, values)).append('\n');
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
