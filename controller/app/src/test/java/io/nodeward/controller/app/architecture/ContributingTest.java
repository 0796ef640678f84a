package io.nodeward.controller.app.architecture;

import static java.nio.file.FileVisitResult.CONTINUE;
import static java.nio.file.FileVisitResult.SKIP_SUBTREE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
        Set<String> classes = new HashSet<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                String name = folder.getFileName().toString();
                return name.equals("target") || name.equals(".git") ? SKIP_SUBTREE : CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java")) {
                    classes.add(name.substring(0, name.length() - ".java".length()));
                }
                return CONTINUE;
            }
        });
        return classes;
    }
}
