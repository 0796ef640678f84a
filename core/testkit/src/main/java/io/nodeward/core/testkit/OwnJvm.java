package io.nodeward.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.spi.Backend;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A JVM started for one sentence: threads, descriptors and heap are counted there, where nobody else has any. It makes
 * the backend by its constructor without arguments, which every backend has for the ServiceLoader's sake.
 */
final class OwnJvm {
    private static final String MARK = "counted: ";

    private OwnJvm() {}

    /**
     * @param main is given the name of the backend's class and the arguments; the kubeconfig, which is nobody's business,
     *     comes to its standard input
     * @return what it told, by name
     */
    static Map<String, String> run(Class<?> main, Backend backend, String kubeconfig, String... arguments)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), main.getName(),
                backend.getClass().getName());
        builder.command().addAll(List.of(arguments));
        Process process = builder.redirectErrorStream(true).start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(kubeconfig.getBytes(StandardCharsets.UTF_8));
        }
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            Map<String, String> told = new TreeMap<>();
            output.lines().filter(line -> line.startsWith(MARK))
                    .map(line -> line.substring(MARK.length()).split("=", 2))
                    .forEach(pair -> told.put(pair[0], pair[1]));
            return told;
        } finally {
            process.destroyForcibly();
        }
    }

    /** For whoever runs in it. */
    static void tell(String name, Object value) {
        System.out.println(MARK + name + "=" + value);
    }

    /** For whoever runs in it. */
    static Backend backend(String className) throws ReflectiveOperationException {
        var constructor = Class.forName(className).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (Backend) constructor.newInstance();
    }

    /** For whoever runs in it. */
    static String kubeconfig() throws IOException {
        return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
