package io.nodeward.e2e.bench.report;

import io.nodeward.cli.text.Cell;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Style;
import io.nodeward.cli.text.Table;
import java.util.List;
import java.util.stream.Stream;

/** The result for a terminal. */
final class TextTable {
    /** How many figures are beside each other, so that 72 columns break no number. */
    private static final int FIGURES = 2;

    private TextTable() {}

    static String of(Samples samples, int width) {
        Screen screen = new Screen(width, false);
        StringBuilder out = new StringBuilder();
        samples.scenarios().forEach(scenario -> out.append(scenario(samples, scenario, screen)));
        Table goals = new Table(0).head("goal", "backend", "", "median (min-max), pairs");
        for (Goal goal : Goals.all()) {
            Goal.Outcome outcome = goal.judge(samples);
            goals.row(cells(Stream.of(goal.text(), goal.backend(), outcome.verdict().text(),
                    String.join("; ", outcome.figures()))));
        }
        return out.append(goals.text(screen)).toString();
    }

    private static String scenario(Samples samples, String scenario, Screen screen) {
        StringBuilder out = new StringBuilder(screen.paragraph(scenario + ": median (min-max)", Style.PLAIN));
        List<String> figures = Shown.figures(samples, scenario);
        for (int from = 0; from < figures.size(); from += FIGURES) {
            List<String> some = figures.subList(from, Math.min(from + FIGURES, figures.size()));
            Table table = new Table(0).row(cells(Stream.concat(Stream.of("contender", "runs"), some.stream())));
            for (String contender : samples.contenders(scenario)) {
                table.row(cells(Stream.concat(
                        Stream.of(contender, Integer.toString(samples.runs(scenario, contender))),
                        some.stream().map(figure -> Spread.of(samples.byPair(scenario, contender, figure).values()))
                                .map(spread -> spread.count() == 0 ? "-" : spread.text()))));
            }
            out.append(table.text(screen));
        }
        Loss.in(samples, scenario).forEach(loss -> out.append(screen.paragraph(loss.text(), Style.PLAIN)));
        return out.append('\n').toString();
    }

    private static Cell[] cells(Stream<String> texts) {
        return texts.map(Cell::of).toArray(Cell[]::new);
    }
}
