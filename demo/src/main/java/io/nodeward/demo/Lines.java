package io.nodeward.demo;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Stream;

/** Plain lines, one after the other: for files, pipes, dumb terminals and NO_COLOR. */
final class Lines implements Display {
    private final PrintStream out;
    private List<Row> shown = List.of();
    private List<String> lastNews = List.of();
    private boolean lives;

    Lines(PrintStream out) {
        this.out = out;
    }

    @Override
    public void before(List<Pair> fleet, List<String> text) {}

    @Override
    public void during(List<Pair> fleet) {}

    @Override
    public void after(List<Pair> fleet, List<String> text, String machine) {
        text.forEach(out::println);
        print(Table.rows(fleet.stream().filter(pair -> machine.isEmpty() || pair.name().equals(machine)).toList())
                .stream());
        out.println();
        shown = Table.rows(fleet);
    }

    @Override
    public void live(List<Pair> fleet, List<String> help, List<String> news, boolean edited) {
        if (!lives) {
            lives = true;
            help.forEach(out::println);
        } else if (!news.equals(lastNews)) {
            news.forEach(out::println);
            print(Table.rows(fleet).stream().filter(row -> !shown.contains(row)).map(Row::named));
            shown = Table.rows(fleet);
        }
        lastNews = news;
        out.flush();
    }

    private void print(Stream<Row> rows) {
        List<String> lines = rows.map(row -> row.text().stripTrailing()).toList();
        if (!lines.isEmpty()) {
            out.println(Row.HEADING);
            lines.forEach(out::println);
        }
        out.flush();
    }

    @Override
    public void typed() {}

    @Override
    public void close() {
        out.flush();
    }
}
