package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.report.Plot.Line;
import io.nodeward.e2e.bench.report.Plot.Style;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Draws plots. By hand, because text stays text that way and a file has some kilobytes; charting libraries draw text as
 * outlines of glyphs that depend on the machine's fonts, and hundreds of kilobytes of them.
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
    private static final List<String> KNOWN = List.of("ideal", "nodeward-fabric8", "nodeward-official",
            "upstream-raised", "upstream", "triggers-alone", "patches-alone");
    /** Told apart by people who see less of them. The same contender has the same in each picture. */
    private static final List<String> COLORS = List.of("#000000", "#0072b2", "#009e73", "#d55e00", "#e69f00",
            "#888888", "#56b4e9", "#cc79a7");

    private final StringBuilder out = new StringBuilder();
    private final Plot plot;
    private final List<Line> lines;
    private final Axis x;
    private final Axis y;

    private Svg(Plot plot) {
        this.plot = plot;
        this.lines = plot.lines().stream().map(Line::thinned).toList();
        this.x = Axis.of(all(Line::x), plot.logarithmic().contains("x"), LEFT, RIGHT);
        this.y = Axis.of(all(Line::y), plot.logarithmic().contains("y"), BOTTOM, TOP);
    }

    private DoubleStream all(Function<Line, double[]> values) {
        return lines.stream().flatMapToDouble(line -> Arrays.stream(values.apply(line)));
    }

    static String of(Plot plot) {
        Svg svg = new Svg(plot);
        svg.draw();
        return svg.out.toString();
    }

    private void draw() {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" "
                + "font-family=\"sans-serif\" font-size=\"12\" fill=\"#333333\">", WIDTH, HEIGHT, WIDTH, HEIGHT);
        add("<title>%s</title>", escaped(plot.title()));
        add("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>", WIDTH, HEIGHT);
        add("<text x=\"%d\" y=\"22\" font-size=\"15\">%s</text>", LEFT, escaped(plot.title()));
        grid();
        IntStream.range(0, lines.size()).forEach(i -> line(lines.get(i), i));
        add("</svg>");
    }

    private void grid() {
        for (double tick : x.ticks()) {
            double at = x.pixel(tick);
            add("<path d=\"M%.1f %dV%d\" stroke=\"#dddddd\"/>", at, TOP, BOTTOM);
            add("<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>", at, BOTTOM + 18, Digits.text(tick));
        }
        for (double tick : y.ticks()) {
            double at = y.pixel(tick);
            add("<path d=\"M%d %.1fH%d\" stroke=\"#dddddd\"/>", LEFT, at, RIGHT);
            add("<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 8, at + 4, Digits.text(tick));
        }
        add("<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", (LEFT + RIGHT) / 2, BOTTOM + 40,
                escaped(plot.x()));
        int middle = (TOP + BOTTOM) / 2;
        add("<text x=\"16\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 16 %d)\">%s</text>", middle, middle,
                escaped(plot.y()));
    }

    private void line(Line line, int number) {
        String stroke = "stroke=\"" + color(line.contender()) + "\" stroke-width=\"2\""
                + (line.style() == Style.DASHED_POINTS ? " stroke-dasharray=\"6 4\"" : "");
        String points = IntStream.range(0, line.x().length)
                .mapToObj(i -> text("%.1f,%.1f", x.pixel(line.x()[i]), y.pixel(line.y()[i])))
                .collect(Collectors.joining(" "));
        add("<polyline fill=\"none\" %s points=\"%s\"/>", stroke, points);
        if (line.style() != Style.PLAIN) {
            for (String point : points.split(" ")) {
                String[] at = point.split(",");
                add("<circle cx=\"%s\" cy=\"%s\" r=\"3.5\" fill=\"%s\"/>", at[0], at[1], color(line.contender()));
            }
        }
        int at = TOP + 10 + number * LINE_HEIGHT;
        add("<path d=\"M%d %dh%d\" %s/>", RIGHT + 16, at - 4, LEGEND_LINE, stroke);
        add("<text x=\"%d\" y=\"%d\">%s</text>", RIGHT + 16 + LEGEND_LINE + 6, at, escaped(line.name()));
    }

    private static String color(String contender) {
        int place = KNOWN.indexOf(contender);
        return COLORS.get(place < 0 ? COLORS.size() - 1 : place);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void add(String format, Object... values) {
        out.append(text(format, values)).append('\n');
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
