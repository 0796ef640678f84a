package io.nodeward.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.TestClasses.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page of tiers is written from the tags: {@code mvn -pl e2e -am -Donly=e2e -Dtest=TiersTest -Dnodeward.docs=write test}. */
class TiersTest {
    private static final Path PAGE = Path.of("..", "docs", "testing.md");
    private static final String BEGIN = "<!-- generated: begin -->\n";
    private static final String END = "<!-- generated: end -->";
    private static final Pattern OFFICIAL = Pattern.compile("<e2e\\.official>([^<]*)</e2e\\.official>");

    @Test
    void every_package_belongs_to_a_feature_and_every_feature_has_a_suite_in_the_quick_tier() throws Exception {
        assertThat(TestClasses.all().stream().map(TestClasses::folder).filter(folder -> !folder.isEmpty()))
                .isSubsetOf(Arrays.stream(Feature.values()).flatMap(f -> f.packages.stream()).toList());
        for (Feature feature : Feature.values()) {
            assertThat(suites(feature, Tier.QUICK)).as(feature.title).isNotEqualTo("-");
        }
    }

    @Test
    void the_page_of_tiers_is_what_the_tags_say() throws Exception {
        String text = Files.readString(PAGE);
        int from = text.indexOf(BEGIN) + BEGIN.length();
        int to = text.indexOf(END);
        assertThat(to).as(PAGE + " has a generated part").isGreaterThan(0);
        String generated = table();
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.writeString(PAGE, text.substring(0, from) + generated + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to)).as(PAGE + " (run with -Dnodeward.docs=write)").isEqualTo(generated);
    }

    private static String table() throws Exception {
        StringBuilder table = new StringBuilder("""

                | Feature | Quick | Deep only | Soak |
                |---|---|---|---|
                """);
        for (Feature feature : Feature.values()) {
            List<String> suites = new ArrayList<>();
            for (Tier tier : Tier.values()) {
                suites.add(suites(feature, tier));
            }
            row(table, feature.title, suites);
        }
        row(table, "Once more with backend `official`", Stream.concat(official().stream(), Stream.of("-")).toList());
        return table.append('\n').toString();
    }

    private static void row(StringBuilder table, String feature, List<String> suites) {
        table.append("| ").append(feature).append(" | ").append(String.join(" | ", suites)).append(" |\n");
    }

    private static String suites(Feature feature, Tier tier) throws Exception {
        String suites = TestClasses.all().stream()
                .filter(type -> feature.packages.contains(TestClasses.folder(type)))
                .map(type -> suite(type, tier))
                .filter(suite -> !suite.isEmpty())
                .collect(Collectors.joining(", "));
        return suites.isEmpty() ? "-" : suites;
    }

    private static String suite(Class<?> type, Tier tier) {
        List<TestClasses.Test> tests = TestClasses.tests(type);
        long count = tests.stream().filter(test -> test.tier() == tier).count();
        if (count == 0) {
            return "";
        }
        return type.getSimpleName() + (count == tests.size() ? "" : " (%d of %d)".formatted(count, tests.size()));
    }

    /** Of the quick tier and of the deep one, as the pom lists them. */
    private static List<String> official() throws IOException {
        Matcher lists = OFFICIAL.matcher(Files.readString(Path.of("pom.xml")));
        return lists.results()
                .map(list -> "`" + list.group(1).replace("**/e2e/", "").replace(".java", "") + "`")
                .toList();
    }
}
