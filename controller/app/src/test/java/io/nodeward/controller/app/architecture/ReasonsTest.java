package io.nodeward.controller.app.architecture;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads a reason in a condition looks for it in the guide. */
class ReasonsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.nodeward");
    private static final Pattern RECORDED = Pattern.compile("\"status\":\"\\w+\",\"reason\":\\s*\"([A-Z]\\w+)\"");
    private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w+)`");

    /** Packages that give reasons, and the pages of all who report them. */
    private static final Map<String, List<String>> PAGES = Map.ofEntries(
            entry("controller.machine", List.of("machine")),
            entry("controller.machinepool", List.of("machinepool")),
            entry("controller.topology", List.of("topology")),
            entry("controller.dedicated", List.of("dedicated-nodes")),
            entry("controller.devices", List.of("device-taints")),
            entry("controller.guard", List.of("node-taint-guards")),
            entry("autoscaler.adapter", List.of("autoscaler")),
            entry("core.rules.capacity", List.of("autoscaler")),
            entry("core.rules.dedicated", List.of("dedicated-nodes")),
            entry("core.rules.device", List.of("device-taints")),
            entry("core.rules.fleet", List.of("machine", "machinepool")),
            entry("core.rules.taint", List.of("machine")), // the other pages refer to it
            entry("core.runtime.cluster", List.of("clusters")));
    /** Whose reasons are each on the page of one who reports it. */
    private static final Set<String> SHARED =
            Set.of("core.rules.validation", "core.runtime.controller", "core.runtime.status");

    @Test
    void the_pages_of_those_who_report_a_reason_have_it() throws IOException {
        Map<String, Set<String>> given = given();
        assertThat(given.keySet()).containsAll(PAGES.keySet());
        for (Map.Entry<String, Set<String>> each : given.entrySet()) {
            if (!SHARED.contains(each.getKey())) {
                assertThat(PAGES).as("pages of those who report reasons").containsKey(each.getKey());
                for (String page : PAGES.get(each.getKey())) {
                    assertThat(found(GUIDE.resolve(page + ".md"), QUOTED)).as(page).containsAll(each.getValue());
                }
            }
        }
    }

    @Test
    void the_guide_has_each_reason_there_is_also_those_that_are_put_together() throws IOException {
        Set<String> reasons = found(ROOT.resolve("controller"), RECORDED, ".requests");
        assertThat(reasons).contains("NodeRejected");
        reasons.addAll(Stream.of(Reason.values()).map(ReasonsTest::shown).flatMap(Set::stream).toList());
        assertThat(found(GUIDE, QUOTED, ".md")).containsAll(reasons);
    }

    @Test
    void a_reason_of_nodeward_is_not_given_as_a_text() {
        assertThat(PRODUCT.get(Blocked.class).getConstructor(String.class, String.class).getCallsOfSelf())
                .extracting(JavaAccess::getOriginOwner).extracting(JavaClass::getPackageName)
                .containsOnly(Blocked.class.getPackageName());
        assertThat(PRODUCT.get(Blocked.class).getMethod("refused", String.class, String.class, ApiFailure.class)
                .getCallsOfSelf()).extracting(JavaAccess::getOriginOwner)
                .as("but the kind of an object and Rejected").extracting(JavaClass::getSimpleName)
                .containsOnly("ObjectChange", "Blocked");
    }

    /** Reasons by the package that names them. */
    private static Map<String, Set<String>> given() {
        Map<String, Set<String>> given = new TreeMap<>();
        PRODUCT.stream().filter(each -> !each.isEquivalentTo(Reason.class))
                .flatMap(each -> each.getFieldAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().isEquivalentTo(Reason.class)
                        && access.getTarget().getRawType().isEquivalentTo(Reason.class))
                .forEach(access -> given
                        .computeIfAbsent(access.getOriginOwner().getPackageName().substring("io.nodeward.".length()),
                                pack -> new TreeSet<>())
                        .addAll(shown(Reason.valueOf(access.getTarget().getName()))));
        return given;
    }

    /** Of these two no condition has more than the message. */
    private static Set<String> shown(Reason reason) {
        return reason == Reason.NOT_ANSWERED || reason == Reason.REFUSED ? Set.of() : Set.of(reason.text());
    }

    private static Set<String> found(Path folder, Pattern pattern, String end) throws IOException {
        Set<String> found = new TreeSet<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(path -> path.toString().endsWith(end))
                    .filter(path -> !path.toString().contains("target/")).toList()) {
                found.addAll(found(file, pattern));
            }
        }
        return found;
    }

    private static Set<String> found(Path file, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(file)).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
