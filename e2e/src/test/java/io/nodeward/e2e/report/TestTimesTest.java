package io.nodeward.e2e.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestTimesTest {
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir
    Path root;

    @Test
    void classes_are_added_up_by_module_and_sorted_by_their_seconds() throws IOException {
        report("core/rules", "a.QuickTest", 40, "6.0", START);
        report("core/rules", "a.SlowTest", 2, "1,074.5", START.plusSeconds(1));
        report("e2e", "b.OtherTest(official)", 3, "120", START);

        assertThat(printed().lines()).containsSubsequence(
                "core/rules                                      2       42     18.0",
                "e2e                                             1        3      2.0",
                "all, added up                                   3       45     20.0",
                "  1074.5        2  a.SlowTest",
                "   120.0        3  b.OtherTest(official)",
                "     6.0       40  a.QuickTest");
    }

    @Test
    void an_earlier_builds_reports_and_other_files_do_not_count() throws IOException {
        report("e2e", "b.OldTest", 3, "120", START.minusSeconds(1));
        Files.createDirectories(root.resolve("src/target"));
        Files.writeString(root.resolve("src/target/TEST-no.xml"), "no report");

        assertThat(SurefireReports.since(root, START)).isEqualTo(List.of());
    }

    private void report(String module, String name, int tests, String seconds, Instant written) throws IOException {
        Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
        Path file = Files.writeString(folder.resolve("TEST-" + name + ".xml"), """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="%s" time="%s" tests="%d"><testcase/></testsuite>
                """.formatted(name, seconds, tests));
        Files.setLastModifiedTime(file, FileTime.from(written));
    }

    private String printed() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        new TestTimes(SurefireReports.since(root, START)).print(new PrintStream(text, true, StandardCharsets.UTF_8));
        return text.toString(StandardCharsets.UTF_8);
    }
}
