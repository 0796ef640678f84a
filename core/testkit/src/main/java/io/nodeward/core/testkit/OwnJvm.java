package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.spi.Backend;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A JVM started for one sentence: threads, descriptors and heap are counted there, where nobody else has any. It has our
 * java and our class path.
 */
public final class OwnJvm {
    private static final String MARK = "counted: ";
    private static final String DUMPS = "from here on it dumps its threads";
    /** A net only. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    /** Exit codes of a JVM that crashed: it ends itself by SIGABRT after its report, or is ended by SIGSEGV. */
    private static final Set<Integer> CRASHED = Set.of(128 + 6, 128 + 11);

    private OwnJvm() {}

    /** Runs {@code main} without arguments; what it printed, by name. */
    public static Map<String, String> run(Class<?> main) throws IOException, InterruptedException {
        return run(main, "", List.of());
    }

    /**
     * The new JVM makes the backend by its constructor without arguments, which every backend has for the ServiceLoader's
     * sake.
     *
     * @param main is given the name of the backend's class and the arguments; the kubeconfig, which is nobody's business,
     *     comes to its standard input
     * @return what it printed, by name
     */
    static Map<String, String> run(Class<?> main, Backend backend, String kubeconfig, String... arguments)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(backend.getClass().getName()));
        all.addAll(List.of(arguments));
        return run(main, kubeconfig, all);
    }

    static Map<String, String> run(Class<?> main, String input, List<String> arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), main.getName());
        builder.command().addAll(arguments);
        Path written = Files.createTempFile("jvm", ".txt");
        try {
            run(builder.redirectErrorStream(true).redirectOutput(written.toFile()), input, written);
            Map<String, String> printed = new TreeMap<>();
            Files.readAllLines(written).stream().filter(line -> line.startsWith(MARK))
                    .map(line -> line.substring(MARK.length()).split("=", 2))
                    .forEach(pair -> printed.put(pair[0], pair[1]));
            return printed;
        } finally {
            Files.delete(written);
        }
    }

    private static void run(ProcessBuilder builder, String input, Path written)
            throws IOException, InterruptedException {
        int ended = end(builder, input, written);
        if (CRASHED.contains(ended) && Files.readString(written).contains(DUMPS)) {
            System.err.println("the JVM crashed, and is started once more: " + Files.readString(written));
            ended = end(builder, input, written);
        }
        assertThat(ended).as(Files.readString(written)).isZero();
    }

    private static int end(ProcessBuilder builder, String input, Path written)
            throws IOException, InterruptedException {
        Process process = builder.start();
        try {
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(ended).as("its end within %s; so far: %s", PATIENCE, Files.readString(written)).isTrue();
            return process.exitValue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** Called in the new JVM before its first dump of threads, which may crash it (JDK-8364343): it is started once more then. */
    static void dumpsThreads() {
        System.out.println(DUMPS);
        System.out.flush();
    }

    /** Called in the new JVM. */
    public static void tell(String name, Object value) {
        System.out.println(MARK + name + "=" + value);
    }

    /** Called in the new JVM. */
    static Backend backend(String className) throws ReflectiveOperationException {
        var constructor = Class.forName(className).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Backend) constructor.newInstance();
    }

    /** Called in the new JVM. */
    static String kubeconfig() throws IOException {
        return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
