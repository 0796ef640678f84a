package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.nodeward", "com.example");
    private static final JavaClasses SEEDED = new ClassFileImporter()
            .importPackages("io.nodeward.controller.machine.seeded", "io.nodeward.core.rules.seeded",
                    "io.nodeward.core.runtime.seeded", "io.nodeward.core.spi.seeded");

    @ParameterizedTest
    @EnumSource(Rules.class)
    void the_product_keeps_the_rule(Rules rule) {
        rule.rule.check(PRODUCT);
    }

    @ParameterizedTest
    @EnumSource(Rules.class)
    void the_rule_catches_its_seeded_violation(Rules rule) {
        assertThat(rule.rule.evaluate(SEEDED).hasViolation()).as(rule.name()).isTrue();
    }

    @Test
    void every_way_to_make_a_thread_without_a_name_is_caught() {
        assertThat(Rules.THREADS_HAVE_NAMES.rule.evaluate(SEEDED).getFailureReport().getDetails()).hasSize(5)
                .allMatch(violation -> violation.contains("NamelessThreads.nameless"));
    }

    @Test
    void the_table_lets_no_controller_use_the_spi() {
        assertThat(Artifact.controllers()).hasSizeGreaterThanOrEqualTo(5)
                .allSatisfy(controller -> assertThat(controller.mayUse).as(controller.path)
                        .doesNotContain(Artifact.SPI));
    }

    @Test
    void every_artifact_is_on_the_class_path_and_every_class_is_in_one() {
        assertThat(Artifact.values()).allSatisfy(
                artifact -> assertThat(
                        PRODUCT.stream().anyMatch(c -> c.getPackageName().startsWith(artifact.rootPackage)))
                        .as(artifact.path).isTrue());
        assertThat(PRODUCT).allSatisfy(c -> assertThat(Arrays.stream(Artifact.values()))
                .anyMatch(artifact -> c.getPackageName().startsWith(artifact.rootPackage)));
    }
}
