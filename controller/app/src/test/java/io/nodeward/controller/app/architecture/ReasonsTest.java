package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.status.Blocked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who reads a reason in a condition looks for it in the guide. */
class ReasonsTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final Path GUIDE = ROOT.resolve("docs/guide");
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.nodeward");
    private static final Pattern RECORDED = Pattern.compile("\"status\":\"\\w+\",\"reason\":\\s*\"([A-Z]\\w+)\"");
    private static final Pattern QUOTED = Pattern.compile("`([A-Z]\\w+)`");

    @ParameterizedTest
    @CsvSource({
            "controller.machine, machine", "controller.machinepool, machinepool", "controller.topology, topology",
            "controller.dedicated, dedicated-nodes", "controller.devices, device-taints",
            "autoscaler.adapter, autoscaler", "core.runtime.cluster, clusters"})
    void the_page_of_a_controller_has_each_reason_that_it_gives(String name, String page) throws IOException {
        Set<String> given = given("io.nodeward." + name);
        assertThat(given).isNotEmpty();
        assertThat(quoted(GUIDE.resolve(page + ".md"))).containsAll(given);
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
    }

    private static Set<String> given(String pack) {
        return PRODUCT.stream().filter(each -> each.getPackageName().equals(pack))
                .flatMap(each -> each.getFieldAccessesFromSelf().stream())
                .filter(access -> access.getTargetOwner().isEquivalentTo(Reason.class))
                .flatMap(access -> shown(Reason.valueOf(access.getTarget().getName())).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What is waited for until it is known is in the message of {@code Waiting}. */
    private static Set<String> shown(Reason reason) {
        return reason == Reason.NOT_ANSWERED ? Set.of() : Set.of(reason.text());
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

    private static Set<String> quoted(Path page) throws IOException {
        return found(page, QUOTED);
    }

    private static Set<String> found(Path file, Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(file)).results().map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
