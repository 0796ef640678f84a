package io.nodeward.e2e;

import java.io.IOException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** The test classes of this module and what their tags say. */
final class TestClasses {
    private static final String ROOT = TestClasses.class.getPackageName();

    private TestClasses() {}

    /** All that have a test, in the order of their names. */
    static List<Class<?>> all() throws IOException, URISyntaxException {
        Path folder = Path.of(TestClasses.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        try (Stream<Path> files = Files.walk(folder.resolve(ROOT.replace('.', '/')))) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(name -> name.endsWith("Test.class"))
                    .<Class<?>>map(name -> load(name.replaceFirst("\\.class$", "").replace('/', '.')))
                    .filter(type -> !Modifier.isAbstract(type.getModifiers()) && !tests(type).isEmpty())
                    .sorted((one, other) -> one.getName().compareTo(other.getName()))
                    .toList();
        }
    }

    /** Below the root, {@code bench.load}. */
    static String folder(Class<?> type) {
        return type.getPackageName().substring(ROOT.length()).replaceFirst("^\\.", "");
    }

    /**
     * One test.
     *
     * @param elements it, its class and those around that
     */
    record Test(List<AnnotatedElement> elements) {
        Tier tier() {
            Set<String> tags = elements.stream()
                    .flatMap(element -> AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream())
                    .map(Tag::value).collect(Collectors.toSet());
            return tags.contains("soak") ? Tier.SOAK : tags.contains("deep") ? Tier.DEEP : Tier.QUICK;
        }
    }

    /** The first that runs a test. */
    enum Tier {
        QUICK, DEEP, SOAK
    }

    /** Those of its nested classes too. */
    static List<Test> tests(Class<?> type) {
        return tests(type, List.of());
    }

    private static List<Test> tests(Class<?> type, List<AnnotatedElement> around) {
        List<AnnotatedElement> elements = with(around, type);
        List<Test> tests = new ArrayList<>();
        ReflectionSupport.findMethods(type, method -> AnnotationSupport.isAnnotated(method, Testable.class),
                HierarchyTraversalMode.TOP_DOWN).forEach(method -> tests.add(new Test(with(elements, method))));
        ReflectionSupport.findNestedClasses(type, nested -> AnnotationSupport.isAnnotated(nested, Nested.class))
                .forEach(nested -> tests.addAll(tests(nested, elements)));
        return tests;
    }

    private static List<AnnotatedElement> with(List<AnnotatedElement> elements, AnnotatedElement one) {
        List<AnnotatedElement> all = new ArrayList<>(elements);
        all.add(one);
        return all;
    }

    private static Class<?> load(String name) {
        try {
            return Class.forName(name, false, TestClasses.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
