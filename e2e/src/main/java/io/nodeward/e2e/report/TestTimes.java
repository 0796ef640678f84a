package io.nodeward.e2e.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Prints the slowest test classes of a build and the minutes of each module, from Surefire's reports. The build runs it
 * last. Its arguments are the checkout's root and when the build began; older reports are another build's.
 */
public record TestTimes(List<TestClass> classes) {
    private static final int SLOWEST = 30;

    public static void main(String[] arguments) throws IOException {
        List<TestClass> classes = SurefireReports.since(Path.of(arguments[0]), Instant.parse(arguments[1]));
        new TestTimes(classes).print(System.out);
    }

    void print(PrintStream out) {
        out.printf(Locale.ROOT, "%n%-40s %8s %8s %8s%n", "Module", "classes", "tests", "minutes");
        byModule().forEach((module, all) -> printModule(out, module, all));
        printModule(out, "all, added up", classes);
        out.printf(Locale.ROOT, "%nThe %d slowest classes%n%8s %8s%n", SLOWEST, "seconds", "tests");
        classes.stream().sorted(Comparator.comparingDouble(TestClass::seconds).reversed()).limit(SLOWEST)
                .forEach(c -> out.printf(Locale.ROOT, "%8.1f %8d  %s%n", c.seconds(), c.tests(), c.name()));
    }

    private Map<String, List<TestClass>> byModule() {
        return classes.stream().collect(Collectors.groupingBy(TestClass::module, TreeMap::new, Collectors.toList()));
    }

    private static void printModule(PrintStream out, String module, List<TestClass> classes) {
        out.printf(Locale.ROOT, "%-40s %8d %8d %8.1f%n", module, classes.size(),
                classes.stream().mapToInt(TestClass::tests).sum(),
                classes.stream().mapToDouble(TestClass::seconds).sum() / 60);
    }
}
