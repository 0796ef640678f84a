package io.nodeward.image;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The part of a JDK that the controller or the command needs. */
final class JavaRuntime {
    /** Of optional parts of Jackson and Guava: types of SQL and of JavaBeans, which no object of Kubernetes has. */
    private static final Set<String> UNUSED = Set.of("java.desktop", "java.sql");

    private static final String ORIGIN = "a JDK has it, a JRE does not";
    private static final Pattern MODULE = Pattern.compile("^\\s+(java\\.[\\w.]+|jdk\\.[\\w.]+)(/.*)?$");

    private JavaRuntime() {}

    /** Modules that these jars need. */
    static SortedSet<String> modules(Path jdk, List<Path> jars) {
        String classPath = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/jdeps").toString(),
                "--ignore-missing-deps", "--multi-release", "25", "--recursive", "--list-deps", "--class-path",
                classPath));
        jars.stream().filter(jar -> Layer.isOurs(jar.getFileName().toString())).map(Path::toString)
                .forEach(command::add);
        return parse(Program.run(ORIGIN, command));
    }

    static SortedSet<String> parse(String dependencies) {
        SortedSet<String> modules = new TreeSet<>();
        dependencies.lines().map(MODULE::matcher).filter(Matcher::matches)
                .map(line -> line.group(1)).filter(module -> !UNUSED.contains(module)).forEach(modules::add);
        return modules;
    }

    /**
     * Line numbers stay, and the modules are not compressed: a layer or archive is, and reading them takes longer if they are.
     *
     * @param from a JDK for another machine, if the runtime is for such
     */
    static void link(Path jdk, Optional<Path> from, Set<String> modules, Path target) throws IOException {
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/jlink").toString(), "--add-modules",
                String.join(",", modules), "--no-header-files", "--no-man-pages", "--output", target.toString()));
        from.ifPresent(other -> command.addAll(
                List.of("--module-path", other.resolve("jmods").toString(), "--exclude-files", "**.debuginfo")));
        Program.run(ORIGIN, command);
        try (Stream<Path> tools = Files.list(target.resolve("bin"))) {
            for (Path tool : tools.filter(file -> !file.endsWith("java")).toList()) {
                Files.delete(tool); // of no use to programs, and of some to an intruder
            }
        }
    }
}
