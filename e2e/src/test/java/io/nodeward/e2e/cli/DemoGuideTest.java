package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.cli.Launched.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A new user with the demo in one terminal and the guide's lines in another. */
@Tag("deep")
class DemoGuideTest {
    private static final Path GUIDE = Path.of("..", "docs", "guide", "cli.md");
    private static final String SECTION = "## Try it on the demo\n";
    private static final String CODE = "    ";
    private static final Pattern EXPORTED = Pattern.compile("export KUBECONFIG=(\\S+)");
    private static final Duration TOUR = Duration.ofMinutes(3);

    /** What is typed, and what the guide says of it; nothing if that would be long. */
    private record Step(String line, String output) {}

    @Test
    void each_line_does_on_the_demo_what_the_guide_says() throws IOException {
        List<Step> steps = steps(Files.readString(GUIDE));
        assertThat(steps).extracting(step -> step.line().split(" ")[1])
                .containsExactly("tree", "explain", "taint", "plan");
        try (Launched demo = Launched.start(Launched.NO_TERMINAL, Map.of(), "exec ./nodeward demo")) {
            await("the end of the tour").atMost(TOUR).until(() -> EXPORTED.matcher(demo.shown()).find());
            Matcher exported = EXPORTED.matcher(demo.shown());
            assertThat(exported.find()).isTrue();
            for (Step step : steps) {
                Ended ended = Launched.intoFile(Map.of("KUBECONFIG", exported.group(1)), step.line());
                assertThat(ended.exit()).as(ended.shown()).isZero();
                assertThat(ended.shown()).startsWith(step.output());
                if (step.output().isEmpty()) {
                    assertThat(ended.shown()).contains("Node web-2");
                }
            }
            demo.terminate();
        }
    }

    /** A line goes on to its END if it has one. */
    private static List<Step> steps(String guide) {
        int start = guide.indexOf(SECTION) + SECTION.length();
        List<String> code = guide.substring(start, guide.indexOf("\n## ", start)).lines()
                .filter(line -> line.startsWith(CODE)).map(line -> line.substring(CODE.length())).toList();
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < code.size();) {
            String line = code.get(i++);
            if (!line.startsWith("$ ")) {
                continue;
            }
            StringBuilder typed = new StringBuilder(line.substring(2)).append('\n');
            while (line.endsWith("<<END") && !typed.toString().endsWith("\nEND\n")) {
                typed.append(code.get(i++)).append('\n');
            }
            StringBuilder output = new StringBuilder();
            while (i < code.size() && !code.get(i).startsWith("$ ")) {
                output.append(code.get(i++)).append('\n');
            }
            steps.add(new Step(typed.toString(), output.toString()));
        }
        return steps;
    }
}
