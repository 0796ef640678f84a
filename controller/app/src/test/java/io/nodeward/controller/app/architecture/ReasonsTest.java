package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads a reason in a condition looks for it in the guide. */
class ReasonsTest {
    private static final Path ROOT = Path.of("..", "..");
    /** As controllers give them, and as the conditions in recorded requests have them. */
    private static final Pattern REASON = Pattern.compile(
            "(?:new (?:Blocked|Ambiguous)\\(|Blocked\\.refused\\(|\"status\":\"\\w+\",\"reason\":)\\s*\"([A-Z]\\w+)\"");
    private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w+)`");
    /** What is waited for until it is known: its message is in {@code Waiting}. */
    private static final String NOT_KNOWN = "NotAnswered";

    @Test
    void each_reason_of_a_controller_is_in_the_guide() throws IOException {
        Set<String> reasons = new TreeSet<>(found(ROOT.resolve("controller"), REASON, ".java", ".requests"));
        reasons.addAll(found(ROOT.resolve("autoscaler-adapter"), REASON, ".java", ".requests"));
        reasons.addAll(found(ROOT.resolve("core/rules/src/main"), REASON, ".java"));
        assertThat(reasons).hasSizeGreaterThan(20).contains(NOT_KNOWN);
        reasons.remove(NOT_KNOWN);
        assertThat(found(ROOT.resolve("docs/guide"), QUOTED, ".md")).containsAll(reasons);
    }

    private static Set<String> found(Path folder, Pattern pattern, String... ends) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> isSource(folder.relativize(path), ends)).toList()) {
                pattern.matcher(Files.readString(file)).results().map(match -> match.group(1))
                        .forEach(found::add);
            }
        }
        return found;
    }

    private static boolean isSource(Path path, String... ends) {
        String name = path.toString();
        return Stream.of(ends).anyMatch(name::endsWith) && !name.contains("target/") && !name.contains("src/test/java");
    }
}
