package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What commands show of names that are too long, on terminals of all widths: no line is wider than its terminal. */
@Tag("deep")
class WidthTest {
    private static final String ESCAPE = "\u001b[";
    private static final String FILES = "e2e/src/test/resources/io/nodeward/e2e/cli/";
    private static final String FLEET = FILES + "long-names.yaml";
    private static final List<String> LINES = List.of(
            "./nodeward explain node/ip-10-0-117-203.eu-central-1.compute.internal -f " + FLEET,
            "./nodeward explain pod/train-large-recommendation-model-weekly-28912345-x9k2p -n recommendation-training"
                    + " -f " + FLEET,
            "./nodeward tree cluster/production-eu-central-1 -n fleet-production -f " + FLEET,
            "./nodeward validate -f " + FILES + "long-faults.yaml",
            "./nodeward plan -f " + FLEET);
    /** A table of four columns is never narrower: ten for each, and two between them. */
    private static final int NARROWEST_TABLE = 46;
    private static final int WIDEST = 80;

    static Stream<String> lines() {
        return LINES.stream();
    }

    static Stream<Arguments> linesByWidth() {
        return LINES.stream().flatMap(line -> Stream.of(40, 60, 80, 200)
                .filter(width -> width > 40 || !line.contains(" plan ")) // five columns have no room there
                .map(width -> Arguments.of(width, line)));
    }

    @ParameterizedTest
    @MethodSource("linesByWidth")
    void no_line_is_wider_than_columns_says(int columns, String line) {
        fits(columns, Launched.onTerminal(200, Map.of(), "env COLUMNS=" + columns + " " + line).shown());
    }

    /** Shells keep COLUMNS to themselves. */
    @ParameterizedTest
    @MethodSource("lines")
    void no_line_is_wider_than_its_terminal(String line) {
        fits(60, Launched.onTerminal(60, Map.of(), "env -u COLUMNS " + line).shown());
    }

    @ParameterizedTest
    @MethodSource("lines")
    void colours_are_for_terminals_that_show_them_and_readers_who_want_them(String line) {
        assertThat(Launched.onTerminal(80, Map.of(), line).shown()).contains(ESCAPE + "1m", ESCAPE + "0m");
        assertThat(Launched.onTerminal(80, Map.of("NO_COLOR", "1"), line).shown()).doesNotContain("\u001b");
        assertThat(Launched.onTerminal(80, Map.of("TERM", "dumb"), line).shown()).doesNotContain("\u001b");
        assertThat(Launched.intoFile(Map.of(), line + " | cat").shown()).isNotBlank().doesNotContain("\u001b", "\r");
    }

    private static void fits(int columns, String shown) {
        List<String> lines = shown.replaceAll("\u001b\\[[0-9;]*[A-Za-z]", "").lines().toList();
        assertThat(lines).hasSizeGreaterThan(3).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(
                Math.max(NARROWEST_TABLE, Math.min(columns, WIDEST))));
    }
}
