package io.nodeward.e2e.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.e2e.bench.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\(([^)]*)\\)");
    private static final long SMALL = 60_000;

    @TempDir
    Path directory;

    @Test
    void the_table_fits_a_terminal() {
        MadeUp run = MadeUp.wholeRun();
        run.figure("fair-pair", "upstream-off+nodeward-official", "last_node_s", 10.123, 11.5, 12)
                .figure("fair-pair", "upstream-raised", "last_node_s", 101.25, 118.5, 132)
                .figure("fair-pair", "a-contender-with-a-name-that-nobody-would-ever-give-to-one", "writes", 1e9, 2e9);
        assertThat(Report.table(run.list(), 80).lines()).isNotEmpty()
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void the_table_shows_all_figures_of_a_scenario() {
        MadeUp run = new MadeUp();
        List<String> figures =
                List.of("nodes_per_s", "last_node_s", "p50_ms", "p99_ms", "requests", "cpu_s", "rss_mib");
        figures.forEach(figure -> run.figure("drain-2000", "ideal", figure, 405, 495, 457)
                .figure("drain-2000", "upstream", figure, 20));
        String table = Report.table(run.list(), 80);
        assertThat(table).contains(figures);
        assertThat(Pattern.compile("457 \\(405-495\\)").matcher(table).results()).hasSameSizeAs(figures);
    }

    @Test
    void the_table_shows_medians_with_what_lies_around_them_and_the_number_of_runs() {
        String table = Report.table(
                new MadeUp().figure("drain-2000", "ideal", "nodes_per_s", 405, 495, 457).list(), 80);
        assertThat(table).containsPattern("ideal +3 +457 \\(405-495\\)");
    }

    @Test
    void the_table_says_where_nodeward_loses() {
        String table = Report.table(new MadeUp()
                .figure("drain-2000", "nodeward-fabric8", "cpu_s", 4.5, 4.7, 4.6)
                .figure("drain-2000", "upstream-raised", "cpu_s", 3.9, 4, 4.1)
                .figure("drain-2000", "nodeward-fabric8", "last_node_s", 5, 5, 5)
                .figure("drain-2000", "upstream-raised", "last_node_s", 33, 33, 33)
                .list(), 80);
        assertThat(table.replaceAll("\\s+", " "))
                .contains("nodeward-fabric8 loses to upstream-raised in cpu_s: 4.6 against 4, 3 pairs")
                .doesNotContain("in last_node_s");
    }

    @Test
    void more_nodes_per_second_are_better() {
        Samples samples = new MadeUp().figure("drain-2000", "nodeward-fabric8", "nodes_per_s", 400)
                .figure("drain-2000", "ideal", "nodes_per_s", 450)
                .figure("drain-2000", "upstream", "nodes_per_s", 20).samples();
        assertThat(Loss.in(samples, "drain-2000")).extracting(Loss::other).containsExactly("ideal");
    }

    @Test
    void what_there_was_to_do_is_no_race() {
        MadeUp run = new MadeUp();
        for (String count : List.of("heartbeats", "changes", "patches", "fleet")) {
            run.figureOf(Map.of(), "heartbeats", "nodeward-fabric8", count, 9)
                    .figureOf(Map.of(), "heartbeats", "upstream", count, 5);
        }
        run.figure("heartbeats", "nodeward-fabric8", "final_right", 1)
                .figure("heartbeats", "upstream", "final_right", 0);
        assertThat(Loss.in(run.samples(), "heartbeats")).isEmpty();
        run.figure("idle", "nodeward-fabric8", "final_right", 0).figure("idle", "upstream", "final_right", 1);
        assertThat(Loss.in(run.samples(), "idle")).extracting(Loss::figure).containsExactly("final_right");
    }

    @Test
    void a_loss_is_of_pairs_both_took_part_in() {
        Samples samples = new MadeUp().figure("burst-500", "nodeward-fabric8", "cpu_s", 1, 9, 9)
                .figure("burst-500", "upstream", "cpu_s", 2).samples();
        assertThat(Loss.in(samples, "burst-500")).isEmpty();
    }

    @Test
    void the_table_has_all_goals_met_or_not() {
        String table = Report.table(MadeUp.wholeRun().list(), 80);
        assertThat(table).containsPattern("fabric8 +met +0\\.89 .*5 pairs").containsPattern("official +met +7")
                .contains("not measured");
    }

    @Test
    void of_several_figures_each_is_told_with_its_scenario() {
        MadeUp half = new MadeUp().figure("idle", "nodeward-official", "writes", 2);
        assertThat(Report.table(half.list(), 200))
                .containsPattern("official +missed +idle 2, 1 pair; idle not measured");
    }

    @Test
    void the_page_shows_every_plot_that_is_written_and_no_other() throws IOException {
        Report.write(MadeUp.wholeRun().list(), Map.of("cpus", "2"), directory);
        List<String> shown = IMAGE.matcher(Files.readString(directory.resolve("README.md"))).results()
                .map((MatchResult match) -> match.group(1)).toList();
        assertThat(shown).containsExactly("drain-2000.svg");
        assertThat(files()).containsExactlyInAnyOrderElementsOf(
                Stream.concat(shown.stream(), Stream.of("README.md", "results.json")).toList());
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    @Test
    void plots_are_small_and_the_same_for_the_same_samples() throws IOException {
        Path again = Files.createDirectory(directory.resolve("again"));
        Report.write(MadeUp.wholeRun().list(), Map.of(), directory);
        Report.write(MadeUp.wholeRun().list(), Map.of(), again);
        Path plot = directory.resolve("drain-2000.svg");
        assertThat(plot).hasSameBinaryContentAs(again.resolve("drain-2000.svg"));
        assertThat(Files.size(plot)).isBetween(2000L, SMALL);
        assertThat(plot).content().contains("<svg").contains("nodeward-fabric8");
    }

    @Test
    void results_keep_every_sample_and_fact() throws IOException {
        Report.write(MadeUp.wholeRun().list(), Map.of("seeds", "1 2 3"), directory);
        JsonNode results = new ObjectMapper().readTree(directory.resolve("results.json").toFile());
        assertThat(results.at("/facts/seeds").asText()).isEqualTo("1 2 3");
        assertThat(results.path("samples")).hasSize(MadeUp.wholeRun().list().size());
        assertThat(results.at("/samples/0/series/seen_s")).hasSize(2000);
        assertThat(results.at("/samples/0/figures/nodes_per_s").asDouble()).isEqualTo(451);
    }

    @Test
    void results_are_read_as_they_were_written() {
        MadeUp run = MadeUp.wholeRun().figure("restart", "upstream", "cpu_s", Double.NaN);
        assertThat(Report.read(directory)).isEqualTo(new Report.Earlier(List.of(), Map.of()));
        Report.write(run.list(), Map.of("cpus", "2"), directory);
        Report.Earlier read = Report.read(directory);
        assertThat(read.facts()).isEqualTo(Map.of("cpus", "2"));
        assertThat(read.samples()).extracting(Sample::scenario, Sample::contender, Sample::pair, Sample::figures)
                .isEqualTo(run.list().stream().map(
                        s -> tuple(s.scenario(), s.contender(), s.pair(), s.figures())).toList());
        assertThat(ResultsJson.of(read.samples(), read.facts())).isEqualTo(ResultsJson.of(run.list(), read.facts()));
    }

    @Test
    void a_figure_that_is_no_number_is_null() throws IOException {
        Report.write(new MadeUp().figure("restart", "upstream", "cpu_s", Double.NaN).list(), Map.of(), directory);
        JsonNode figures = new ObjectMapper().readTree(directory.resolve("results.json").toFile())
                .at("/samples/0/figures");
        assertThat(figures.has("cpu_s")).isTrue();
        assertThat(figures.get("cpu_s").isNull()).isTrue();
    }

    @Test
    void nothing_measured_is_a_report_too() throws IOException {
        Report.write(List.of(), Map.of(), directory);
        assertThat(files()).containsExactlyInAnyOrder("README.md", "results.json");
        assertThat(directory.resolve("README.md")).content().contains("**not measured**").doesNotContain("**met**");
    }
}
