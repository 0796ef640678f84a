package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ContributingTest {
    private static final Path ROOT = Path.of("..", "..");
    /** A name of more than one word; those that begin with X stand for another. */
    private static final Pattern CLASS = Pattern.compile("`((?!X[A-Z])[A-Z][a-z0-9]+[A-Z]\\w*)[^`]*`");

    @Test
    void the_classes_that_it_names_exist() throws IOException {
        Set<String> named = CLASS.matcher(Files.readString(ROOT.resolve("CONTRIBUTING.md"))).results()
                .map(name -> name.group(1)).collect(Collectors.toSet());
        assertThat(named).hasSizeGreaterThan(20);
        assertThat(classes()).containsAll(named);
    }

    private static Set<String> classes() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length())).collect(Collectors.toSet());
        }
    }
}
