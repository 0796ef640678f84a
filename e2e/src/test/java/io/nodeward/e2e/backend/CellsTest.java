package io.nodeward.e2e.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.testkit.BackendContract;
import io.nodeward.core.testkit.ConnectionContract;
import io.nodeward.core.testkit.ServerContract;
import io.nodeward.core.testkit.TransportContract;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.platform.commons.support.ReflectionSupport;

/** docs/contract.md says which topic runs where; this holds it. */
class CellsTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", "."), "..", "docs", "contract.md");
    private static final List<Class<?>> PARTS =
            List.of(TransportContract.class, ConnectionContract.class, ServerContract.class);
    private static final List<String> PACKAGES = List.of("io.nodeward.backend.contract", "io.nodeward.e2e.backend");

    @Test
    void the_page_names_every_topic_of_every_part() throws IOException {
        for (Class<?> part : PARTS) {
            assertThat(rows("## " + part.getSimpleName())).as(part.getSimpleName()).containsExactlyElementsOf(
                    topics(part).map(topic -> topic.getSimpleName() + " " + sentences(topic)).sorted().toList());
        }
    }

    @Test
    void the_page_names_every_cell_with_its_part_and_tier() throws IOException {
        TreeSet<String> cells = new TreeSet<>();
        for (String in : PACKAGES) {
            for (Class<?> cell : ReflectionSupport.findAllClassesInPackage(in, CellsTest::isCell, name -> true)) {
                cells.add(cell.getSimpleName() + " " + part(cell).getSimpleName() + " "
                        + (cell.isAnnotationPresent(Tag.class) ? cell.getAnnotation(Tag.class).value() : "quick"));
            }
        }
        assertThat(new TreeSet<>(rows("## Cells"))).isEqualTo(cells);
    }

    @Test
    void the_whole_contract_is_its_three_parts_and_every_topic_is_in_one_of_them() {
        assertThat(topics(BackendContract.class).<String>map(nested -> nested.getSuperclass().getName()))
                .containsExactlyInAnyOrderElementsOf(PARTS.stream().map(Class::getName).toList());
        Set<Class<?>> nested = new HashSet<>();
        PARTS.forEach(part -> topics(part).forEach(topic -> nested.addAll(lineage(topic))));
        assertThat(ReflectionSupport.findAllClassesInPackage(
                TransportContract.class.getPackageName(), type -> tests(type).findAny().isPresent(),
                name -> name.endsWith("Topic")))
                .isNotEmpty()
                .allSatisfy(topic -> assertThat(nested).contains(topic));
    }

    private static boolean isCell(Class<?> type) {
        return !Modifier.isAbstract(type.getModifiers()) && !type.isMemberClass()
                && Stream.concat(PARTS.stream(), Stream.of(BackendContract.class))
                        .anyMatch(p -> p.isAssignableFrom(type));
    }

    private static Class<?> part(Class<?> cell) {
        Class<?> above = cell;
        while (!above.getPackage().equals(TransportContract.class.getPackage())) {
            above = above.getSuperclass();
        }
        return above;
    }

    private static Stream<Class<?>> topics(Class<?> part) {
        return Arrays.stream(part.getDeclaredClasses()).filter(nested -> nested.isAnnotationPresent(Nested.class));
    }

    private static long sentences(Class<?> topic) {
        return lineage(topic).stream().flatMap(CellsTest::tests).count();
    }

    private static List<Class<?>> lineage(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            all.add(above);
        }
        return all;
    }

    private static Stream<Method> tests(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods()).filter(method -> method.isAnnotationPresent(Test.class)
                || method.isAnnotationPresent(ParameterizedTest.class));
    }

    /** Of the table under this heading: what is marked as code or a number, or is a tier, of each row. */
    private static List<String> rows(String heading) throws IOException {
        String page = Files.readString(PAGE);
        int from = page.indexOf(heading + "\n");
        assertThat(from).as(heading).isNotNegative();
        int to = page.indexOf("\n## ", from + 1);
        return (to < 0 ? page.substring(from) : page.substring(from, to)).lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> Arrays.stream(line.split("\\|")).map(String::strip)
                        .filter(cell -> cell.matches("`\\w+`|\\d+|quick|deep|soak"))
                        .map(cell -> cell.replace("`", ""))
                        .collect(Collectors.joining(" ")))
                .toList();
    }
}
