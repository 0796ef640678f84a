package io.nodeward.e2e.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A build of this project's pom in which no test ran has failed. Two modules of one test each stand for all. */
@Tag("deep")
class OnlyTest {
    @TempDir
    static Path checkout;

    @BeforeAll
    static void two_modules() throws IOException {
        Path root = Path.of("").toAbsolutePath().getParent();
        Files.createDirectory(checkout.resolve(".mvn"));
        for (String file : List.of(".mvn/formatter.xml", ".mvn/maven.config")) {
            Files.copy(root.resolve(file), checkout.resolve(file));
        }
        Files.writeString(checkout.resolve("pom.xml"), Files.readString(root.resolve("pom.xml")).replaceAll(
                "(?s)<modules>.*</modules>", "<modules><module>spi</module><module>types</module></modules>"));
        module("spi", "nodeward-core-spi", "io.nodeward.core.spi");
        module("types", "nodeward-api-types", "io.nodeward.api");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Donly=core.spi", "-Donly=api", "-Donly=api -Dtest=OneTest", "-Dtest=OneTest",
            "-Donly=core.spi -Dtest=OneTest#passes", "-Donly=core.spi -pl spi"})
    void a_test_that_is_named_runs_where_it_is_meant(String options) throws Exception {
        assertThat(build(options)).isZero();
        assertThat(ran("spi")).isEqualTo(!options.contains("api"));
        assertThat(ran("types")).isEqualTo(!options.contains("core.spi"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Dtest=Typo", "-Donly=core.spi -Dtest=Typo", "-Donly=core.spi -Dtest=OneTest+OtherTest",
            "-Donly=core.spi -Dtest=io.nodeward.core.spi", "-Donly=api -Dtest=SlowTest", "-Donly=core.spi -pl types",
            "-Donly=no.such", "-Donly=core", "-Donly=core.spi.json"})
    void no_build_passes_in_which_no_test_ran(String options) throws Exception {
        assertThat(build(options)).isNotZero();
        assertThat(ran("spi") || ran("types")).isFalse();
    }

    private static void module(String directory, String artifact, String name) throws IOException {
        Path sources = Files
                .createDirectories(checkout.resolve(directory + "/src/test/java").resolve(name.replace('.', '/')));
        Files.writeString(checkout.resolve(directory).resolve("pom.xml"), """
                <project>
                  <modelVersion>4.0.0</modelVersion>
                  <parent>
                    <groupId>io.nodeward</groupId><artifactId>nodeward</artifactId><version>0.1.0-SNAPSHOT</version>
                  </parent>
                  <artifactId>%s</artifactId>
                  <dependencies>
                    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId></dependency>
                  </dependencies>
                </project>
                """.formatted(artifact));
        for (String test : List.of("class OneTest", "@org.junit.jupiter.api.Tag(\"deep\")\nclass SlowTest")) {
            Files.writeString(sources.resolve(test.substring(test.lastIndexOf(' ') + 1) + ".java"), """
                    package %s;

                    %s {
                        @org.junit.jupiter.api.Test
                        void passes() {}
                    }
                    """.formatted(name, test));
        }
    }

    private int build(String options) throws IOException, InterruptedException {
        for (Path report : reports("spi", "types")) {
            Files.delete(report);
        }
        List<String> command = new ArrayList<>(List.of("mvn", "-B", "-q", "test", "-Dtest.uncaught=false"));
        command.addAll(List.of(options.split(" ")));
        return new ProcessBuilder(command).directory(checkout.toFile()).redirectErrorStream(true)
                .redirectOutput(checkout.resolve("log").toFile()).start().waitFor();
    }

    private boolean ran(String module) throws IOException {
        return !reports(module).isEmpty();
    }

    private List<Path> reports(String... modules) throws IOException {
        List<Path> found = new ArrayList<>();
        for (String module : modules) {
            Path directory = checkout.resolve(module).resolve("target/surefire-reports");
            if (Files.exists(directory)) {
                try (Stream<Path> reports = Files.list(directory)) {
                    found.addAll(reports.toList());
                }
            }
        }
        return found;
    }
}
