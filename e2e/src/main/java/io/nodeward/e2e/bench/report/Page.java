package io.nodeward.e2e.bench.report;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result as a page of Markdown. */
final class Page {
    private final StringBuilder out = new StringBuilder();
    private final Samples samples;
    private final List<Plot> plots;

    private Page(Samples samples, List<Plot> plots) {
        this.samples = samples;
        this.plots = plots;
    }

    static String of(Samples samples, Map<String, String> facts, List<Plot> plots) {
        Page page = new Page(samples, plots);
        page.head(facts);
        page.goals();
        samples.scenarios().forEach(page::scenario);
        return page.out.toString();
    }

    private void head(Map<String, String> facts) {
        line("# Benchmarks");
        line("");
        line("Written by `./nodeward bench`, which repeats all of it. Contenders take turns on the same servers; only runs");
        line("that were beside each other (a pair) are divided by each other. All samples are in [results.json](results.json);");
        line("why goals are missed is in [profile.md](profile.md). The ideal client knows all beforehand and writes Nodes only.");
        line("");
        row(List.of("fact", "value"));
        row(List.of("---", "---"));
        new TreeMap<>(facts).forEach((name, value) -> row(List.of(name, value)));
        line("");
    }

    private void goals() {
        line("## Goals");
        line("");
        line("The median of the pairs decides; of counts and memory the worst run.");
        line("");
        row(List.of("goal", "backend", "", "median (min-max), pairs", "computed from"));
        row(List.of("---", "---", "---", "---", "---"));
        for (Goal goal : Goals.all()) {
            Goal.Outcome outcome = goal.judge(samples);
            String words = goal.measures().stream().map(Measure::words).collect(Collectors.joining("<br>"));
            row(List.of(goal.text(), goal.backend(), "**" + outcome.verdict().text() + "**",
                    String.join("<br>", outcome.figures()), words));
        }
        line("");
    }

    private void scenario(String scenario) {
        line("## " + scenario);
        line("");
        line(Words.of(scenario) + " Median (min-max).");
        line("");
        List<String> figures = Shown.figures(samples, scenario);
        row(Stream.concat(Stream.of("contender", "runs"), figures.stream()).toList());
        row(Stream.concat(Stream.of("---", "--:"), figures.stream().map(figure -> "--:")).toList());
        for (String contender : samples.contenders(scenario)) {
            Stream<String> cells = figures.stream()
                    .map(figure -> Spread.of(samples.byPair(scenario, contender, figure).values()))
                    .map(spread -> spread.count() == 0 ? "" : spread.text());
            row(Stream.concat(
                    Stream.of(contender, Integer.toString(samples.runs(scenario, contender))), cells).toList());
        }
        line("");
        List<Loss> losses = Loss.in(samples, scenario);
        losses.forEach(loss -> line("* " + loss.text()));
        if (!losses.isEmpty()) {
            line("");
        }
        plots.stream().filter(plot -> plot.scenario().equals(scenario)).forEach(this::image);
    }

    private void image(Plot plot) {
        line("![" + plot.title() + "](" + plot.file() + ")");
        line("");
    }

    private void row(List<String> cells) {
        line("| " + cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ")) + " |");
    }

    private void line(String text) {
        out.append(text).append('\n');
    }
}
