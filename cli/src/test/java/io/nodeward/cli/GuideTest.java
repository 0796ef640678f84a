package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide's examples, typed as they stand there, print what stands there. Those of clusters are run on files or a fake.
 * {@code mvn -pl cli -am test -Dtest=GuideTest -Dnodeward.docs=write} writes what they print into the guide.
 */
class GuideTest {
    private static final Path PAGE = Path.of("..", "docs", "guide", "cli.md");
    private static final Path FILES = Path.of("src", "test", "resources", "io", "nodeward", "cli", "guide");
    /** What follows the part about the demo. */
    private static final String FIRST = "## taint: kubectl taint that loses nothing";
    /** An indented line of the page. */
    private static final String CODE = "    ";
    private static final String COMMAND = "(\\$ .*|\\./nodeward .*|nodeward .*|kubectl .*|source .*|chmod .*)";

    @TempDir
    static Path home;

    private static Cluster cluster;

    /**
     * A command and what the page shows below it.
     *
     * @param from its first line of output, counted from 0; as {@code to} if it has none
     */
    private record Example(String command, int from, int to, String output) {
        String name() {
            return command.replaceAll("(?s).*\\./nodeward ", "");
        }
    }

    @BeforeAll
    static void start() throws IOException {
        Path program = Files.writeString(home.resolve("nodeward"), """
                #!/bin/sh
                exec '%s' -XX:TieredStopAtLevel=1 -XX:+UseSerialGC --sun-misc-unsafe-memory-access=allow -cp '%s' \
                io.nodeward.cli.Main "$@"
                """.formatted(ProcessHandle.current().info().command().orElseThrow(), classPath()));
        assertThat(program.toFile().setExecutable(true)).isTrue();
        cluster = new Cluster(home, Options.defaults()
                .withKind(Kind.custom("cluster.x-k8s.io", List.of("v1beta2"), "machinedeployments",
                        "MachineDeployment"))
                .withKind(Kind.custom("cluster.x-k8s.io", List.of("v1beta2"), "machinesets", "MachineSet")));
        cluster.node("n1", "{}", "[]");
        cluster.node("n2", "{}", "[]");
        gpu("gpu-1", "h100", "NoSchedule");
        gpu("gpu-2", "a100", "NoExecute");
        gpu("gpu-3", "a100", "NoSchedule");
        workers();
    }

    private static void gpu(String node, String value, String effect) throws IOException {
        cluster.node(node, "{\"pool\":\"%s\"}".formatted(node.startsWith("gpu") ? "gpu" : "workers"),
                "[{\"key\":\"gpu\",\"value\":\"%s\",\"effect\":\"%s\"}]".formatted(value, effect));
    }

    /** A MachineDeployment whose Nodes have already what is declared next. */
    private static void workers() throws IOException {
        create("namespaces", "{\"metadata\":{\"name\":\"fleet\"}}");
        create("secrets", """
                {"metadata":{"namespace":"fleet","name":"c-kubeconfig"},"data":{"value":"%s"}}""".formatted(
                Base64.getEncoder().encodeToString(cluster.server.kubeconfig().getBytes(StandardCharsets.UTF_8))));
        JsonNode deployment = create("machinedeployments", """
                {"metadata":{"namespace":"fleet","name":"workers"},
                 "spec":{"clusterName":"c","replicas":40,"template":{"spec":{"clusterName":"c"}}}}""");
        JsonNode set = create("machinesets", """
                {"metadata":%s,"spec":{"clusterName":"c","template":{"spec":{"clusterName":"c"}}}}"""
                .formatted(ownedBy(deployment, "workers-x")));
        for (int i = 1; i <= 40; i++) {
            create("machines", """
                    {"metadata":%s,"spec":{"clusterName":"c"},"status":{"nodeRef":{"name":"w%d"}}}"""
                    .formatted(ownedBy(set, "w" + i), i));
            gpu("w" + i, "h100", "NoSchedule");
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static JsonNode create(String plural, String json) throws IOException {
        return cluster.server.create(plural, Cluster.JSON.readTree(json));
    }

    private static String ownedBy(JsonNode owner, String name) throws IOException {
        ObjectNode metadata = (ObjectNode) Cluster.JSON.readTree(
                Owners.ownedBy(owner, name, "{\"cluster.x-k8s.io/cluster-name\":\"c\"}"));
        return metadata.put("namespace", "fleet").toString();
    }

    /** Of a class path that may be in the manifest of a jar, or have paths of this directory. */
    private static String classPath() {
        return Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
                .split(File.pathSeparator)).map(entry -> Path.of(entry).toAbsolutePath().toString())
                .reduce((one, other) -> one + File.pathSeparator + other).orElseThrow();
    }

    /** All commands of nodeward in indented blocks, in the page's order; those of the demo have a test beside it. */
    private static List<Example> examples(List<String> lines) {
        List<Example> examples = new ArrayList<>();
        for (int i = lines.indexOf(FIRST); i < lines.size(); i++) {
            if (lines.get(i).matches(CODE + COMMAND)) {
                int first = i;
                while (lines.get(i).endsWith("|") || lines.get(i).endsWith("\\")) {
                    i++;
                }
                Example example = example(lines, first, i);
                if (example.command().contains("./nodeward ")) {
                    examples.add(example);
                }
            }
        }
        return examples;
    }

    /** Of a command in these lines, with what stands below it up to the next one. */
    private static Example example(List<String> lines, int first, int last) {
        String command = lines.subList(first, last + 1).stream().map(String::strip).collect(Collectors.joining("\n"));
        int from = last + 1;
        int to = from;
        for (int end = from; end < lines.size() && isOutput(lines.get(end)); end++) {
            to = lines.get(end).isEmpty() ? to : end + 1;
        }
        while (from < to && lines.get(from).isEmpty()) {
            from++;
        }
        String output = lines.subList(from, to).stream()
                .map(line -> line.isEmpty() ? "\n" : line.substring(CODE.length()) + "\n")
                .collect(Collectors.joining());
        return new Example(command.replaceFirst("^\\$ ", ""), from, to, output);
    }

    private static boolean isOutput(String line) {
        return line.isEmpty() || line.startsWith(CODE) && !line.matches(CODE + COMMAND);
    }

    /** What a shell prints of it, in a folder with the files that it is about. */
    private static String printed(Example example) throws IOException, InterruptedException {
        String verb = example.name().split(" ")[0];
        boolean ofFiles = List.of("explain", "tree", "device").contains(verb);
        Path folder = FILES.resolve(ofFiles ? "explain" : verb);
        Path work = Files.isDirectory(folder) ? copied(folder) : Files.createTempDirectory(home, verb);
        Files.createSymbolicLink(work.resolve("nodeward"), home.resolve("nodeward"));
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", example.command() + (ofFiles ? " -f fleet" : ""))
                .directory(work.toFile()).redirectError(work.resolve("err").toFile());
        shell.environment().put("KUBECONFIG", home.resolve("config").toString());
        shell.environment().keySet().removeIf(name -> name.startsWith("JAVA_") || name.equals("COLUMNS"));
        Process process = shell.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(Files.readString(work.resolve("err"))).isIn(0, 3);
        return out;
    }

    private static Path copied(Path folder) throws IOException {
        Path work = Files.createTempDirectory(home, "work");
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = work.resolve(folder.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        return work;
    }

    /** Without what only a terminal shows meanwhile. */
    private static String lasting(String output) {
        return output.replaceAll("(?m)^\\[[#-]+] .*\n", "");
    }

    @TestFactory
    List<DynamicTest> an_example_prints_what_stands_below_it() throws IOException, InterruptedException {
        List<Example> examples = examples(Files.readAllLines(PAGE)).stream()
                .filter(example -> !example.output().isEmpty() && !example.output().startsWith("error: ")
                        && !example.output().contains("\nerror: "))
                .toList();
        assertThat(examples).extracting(example -> example.name().split(" ")[0]).contains(
                "taint", "plan", "explain", "tree", "device", "validate", "eval");
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            write(examples);
            return List.of();
        }
        return examples.stream().map(example -> dynamicTest(example.name(),
                () -> assertThat(printed(example)).isEqualTo(lasting(example.output())))).toList();
    }

    private static void write(List<Example> examples) throws IOException, InterruptedException {
        List<String> lines = new ArrayList<>(Files.readAllLines(PAGE));
        List<String> outputs = new ArrayList<>();
        for (Example example : examples) { // each as the one before has left the cluster
            outputs.add(printed(example));
        }
        for (int i = examples.size() - 1; i >= 0; i--) { // from below, so that lines keep their numbers
            Example example = examples.get(i);
            if (!outputs.get(i).equals(lasting(example.output()))) {
                List<String> there = lines.subList(example.from(), example.to());
                there.clear();
                there.addAll(outputs.get(i).lines().map(line -> line.isEmpty() ? "" : CODE + line).toList());
            }
        }
        Files.writeString(PAGE, String.join("\n", lines) + "\n");
    }

    @Test
    void commands_that_the_page_shows_without_output_are_understood() throws IOException {
        List<Example> examples = examples(Files.readAllLines(PAGE)).stream()
                .filter(example -> example.output().isEmpty() && !example.name().matches("(eval RULE|dist ).*"))
                .toList();
        assertThat(examples).isNotEmpty().allSatisfy(example -> Typed.commandLine(
                InputStream.nullInputStream(), OutputStream.nullOutputStream()).parseArgs(example.name().split(" ")));
    }
}
