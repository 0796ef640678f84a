package io.nodeward.e2e.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The result for a terminal of 80 columns. */
final class TextTable {
    static final int WIDTH = 80;
    private static final String INDENT = "  ";
    private static final int VERDICT = "not measured".length();

    private final StringBuilder out = new StringBuilder();
    private final Samples samples;

    private TextTable(Samples samples) {
        this.samples = samples;
    }

    static String of(Samples samples) {
        TextTable table = new TextTable(samples);
        samples.scenarios().forEach(table::scenario);
        table.goals();
        return table.out.toString();
    }

    private void scenario(String scenario) {
        line(scenario + ": median (min-max)");
        List<List<String>> columns = new ArrayList<>();
        columns.add(column("contender", samples.contenders(scenario)));
        columns.add(column("runs", samples.contenders(scenario).stream()
                .map(contender -> Integer.toString(samples.runs(scenario, contender))).toList()));
        int left = columns.stream().mapToInt(TextTable::width).sum();
        int used = left;
        for (String figure : Shown.figures(samples, scenario)) {
            List<String> column = column(figure, samples.contenders(scenario).stream()
                    .map(c -> Spread.of(samples.byPair(scenario, c, figure).values()))
                    .map(spread -> spread.count() == 0 ? "-" : spread.text()).toList());
            if (used + width(column) > WIDTH && columns.size() > 2) {
                rows(columns);
                columns.subList(2, columns.size()).clear();
                used = left;
            }
            columns.add(column);
            used += width(column);
        }
        rows(columns);
        Loss.in(samples, scenario).forEach(loss -> wrapped(INDENT, loss.text()));
        line("");
    }

    private static List<String> column(String head, List<String> cells) {
        return Stream.concat(Stream.of(head), cells.stream()).toList();
    }

    private static int width(List<String> column) {
        return INDENT.length() + column.stream().mapToInt(String::length).max().orElse(0);
    }

    private void rows(List<List<String>> columns) {
        for (int row = 0; row < columns.getFirst().size(); row++) {
            StringBuilder line = new StringBuilder();
            for (List<String> column : columns) {
                line.append(INDENT).append(column.get(row)).repeat(" ",
                        width(column) - INDENT.length() - column.get(row).length());
            }
            line(line.toString());
        }
    }

    private void goals() {
        line("Goals, pair by pair: median (min-max)");
        String before = "";
        for (Goal goal : Goals.all()) {
            if (!goal.text().equals(before)) {
                wrapped(INDENT, goal.text());
            }
            before = goal.text();
            Goal.Outcome outcome = goal.judge(samples);
            String verdict = outcome.verdict().text();
            String head = INDENT.repeat(2) + "%-9s%s".formatted(goal.backend(), verdict)
                    + " ".repeat(VERDICT - verdict.length() + 2);
            String figures = String.join("; ", outcome.figures());
            wrapped(head, outcome.verdict() == Goal.Verdict.NOT_MEASURED && outcome.spreads().size() == 1
                    ? ""
                    : figures);
        }
    }

    /** Lines that begin where the text begins; a word that is too long for a line is cut. */
    private void wrapped(String head, String text) {
        StringBuilder line = new StringBuilder(head);
        boolean empty = true;
        for (String word : text.split(" ")) {
            if (!empty && line.length() + 1 + word.length() > WIDTH) {
                line(line.toString());
                line = new StringBuilder(" ".repeat(head.length()));
                empty = true;
            }
            line.append(empty ? "" : " ").append(word);
            empty = false;
        }
        line(line.toString());
    }

    private void line(String text) {
        String stripped = text.stripTrailing();
        out.append(stripped, 0, Math.min(stripped.length(), WIDTH)).append('\n');
    }
}
