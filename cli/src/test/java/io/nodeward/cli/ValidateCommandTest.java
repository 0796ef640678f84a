package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaringKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ValidateCommandTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String OBJECTS = """
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: not-judged}
            data: {taints: "x"}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec:
              template:
                metadata: {annotations: {taint.nodeward.io/lost: "node.kubernetes.io/lost:NoExecute"}}
                spec: {taints: [{key: Foo.com/gpu, effect: NoSchedule, propagation: Always}]}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {namespace: fleet, name: good}
            spec: {taints: [{key: gpu, effect: NoSchedule, propagation: Always}]}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @Test
    void what_admission_would_say_is_told_with_file_object_and_field() throws IOException {
        Files.writeString(directory.resolve("objects.yaml"), OBJECTS);

        assertThat(run("", "validate", "-f", directory + "/objects.yaml", "-o", "wide")).isEqualTo(3);
        assertThat(out.toString()).isEqualTo(
                """
                        %s/objects.yaml, document 2: MachineDeployment fleet/workers
                          error    line 12, column 22: spec.template.spec.taints[0].key: no Node accepts it: not a name of at most 63 characters \
                        with an optional DNS domain before it
                          warning  line 11, column 30: spec.template.metadata.annotations[taint.nodeward.io/lost]: node.kubernetes.io/lost is set \
                        and removed by another controller, which will fight over it

                        2 of 3 objects judged: 1 error, 1 warning
                        """
                        .formatted(directory));
    }

    @Test
    void a_number_that_is_too_long_is_an_error_of_its_file() {
        String number = "1".repeat(1200);
        String machine = """
                {"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
                 "metadata": {"namespace": "fleet", "name": "m"}, "spec": {"order": %s}}
                """.formatted(number);
        assertThat(run(machine, "validate", "-f", "-")).isEqualTo(1);
        assertThat(err.toString()).startsWith("error: standard input").contains("1200")
                .doesNotContain("internal error", number);
    }

    @Test
    void nothing_is_wider_than_a_terminal_nor_left_out() {
        run(OBJECTS, "validate", "-f", "-");

        assertThat(out.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(out.toString()).contains("""
                standard input, document 2: MachineDeployment fleet/workers
                  error    line 12, column 22: spec.template.spec.taints[0].key: no Node accepts
                           it: not a name of at most 63 characters with an optional DNS domain
                           before it
                  warning  line 11, column 30: spec.template.metadata.annotations[taint.
                           nodeward.io/lost]: node.kubernetes.io/lost is set and removed by
                           another controller, which will fight over it
                """);
    }

    @Test
    void a_program_reads_the_same() throws IOException {
        assertThat(run(OBJECTS, "validate", "-f", "-", "-o", "json")).isEqualTo(3);

        JsonNode json = JSON.readTree(out.toString());
        assertThat(json.path("objects").asInt()).isEqualTo(3);
        assertThat(json.path("judged").asInt()).isEqualTo(2);
        assertThat(json.at("/findings/0")).isEqualTo(JSON.readTree(
                """
                        {"severity":"error","source":"standard input, document 2","line":12,"column":22,"group":"cluster.x-k8s.io",
                         "kind":"MachineDeployment","namespace":"fleet","name":"workers",
                         "field":"spec.template.spec.taints[0].key",
                         "message":"no Node accepts it: not a name of at most 63 characters with an optional DNS domain before it"}
                        """));
        assertThat(json.at("/findings/1/severity").asText()).isEqualTo("warning");
        assertThat(json.at("/findings/1/field").asText())
                .isEqualTo("spec.template.metadata.annotations[taint.nodeward.io/lost]");
    }

    @Test
    void a_pipeline_stops_where_it_is_told_to() {
        String warned = OBJECTS.replace("Foo.com", "foo.com");
        assertThat(run(warned, "validate", "-f", "-")).isZero();
        assertThat(run(warned, "validate", "-f", "-", "--fail-on", "warnings")).isEqualTo(3);
        assertThat(run(OBJECTS, "validate", "-f", "-", "--fail-on", "nothing")).isZero();
        assertThat(run(OBJECTS, "validate", "-f", "-", "--admission-enforcement", "Warn")).isZero();
        assertThat(out.toString()).contains("0 errors, 2 warnings");
    }

    @Test
    void with_the_gate_off_nothing_may_be_declared() {
        String good = OBJECTS.substring(OBJECTS.lastIndexOf("---"));
        assertThat(run(good, "validate", "-f", "-")).isZero();
        assertThat(run(good, "validate", "-f", "-", "--feature-gates",
                "AutoscalerAdapter=true,MachineTaintPropagation=false")).isEqualTo(3);
        assertThat(out.toString())
                .contains("line 5, column 8: spec.taints: must not be set while the gate\n"
                        + "         MachineTaintPropagation is off");
        assertThat(run(good, "validate", "-f", "-", "--feature-gates", "AllBeta=false")).isEqualTo(3);
        assertThat(run(good, "validate", "-f", "-", "--feature-gates", "MachineTaintPropagation=false",
                "--admission-gate", "Off")).isZero();
    }

    @Test
    void a_slip_in_a_gate_is_not_taken_for_on() {
        assertThat(run(OBJECTS, "validate", "-f", "-", "--feature-gates", "MachineTaintPropogation=false"))
                .isEqualTo(1);
        assertThat(err.toString()).contains("unknown gate 'MachineTaintPropogation'; there are: ");
        assertThat(run(OBJECTS, "validate", "-f", "-", "--feature-gates", "AllBeta=no")).isEqualTo(1);
        assertThat(err.toString()).contains("AllBeta is true or false, not 'no'");
    }

    @Test
    void every_gate_of_the_controller_may_be_given() throws IOException {
        Matcher gates = Pattern.compile("(?m)^\\s+(\\w+)=true\\|false").matcher(
                Files.readString(Path.of("..", "docs", "reference", "controller.md")));
        List<String> named = gates.results().map(found -> found.group(1) + "=true").toList();
        assertThat(named).hasSizeGreaterThan(3);
        assertThat(run("{kind: Other}", "validate", "-f", "-", "--feature-gates", String.join(",", named)))
                .as(err.toString()).isZero();
    }

    @Test
    void directories_are_read_as_deep_as_is_asked_for() throws IOException {
        Path below = Files.createDirectories(directory.resolve("a/b"));
        Files.writeString(below.resolve("objects.yml"), OBJECTS);
        assertThat(run("", "validate", "-f", directory.toString())).as("nothing judged is no green verdict")
                .isEqualTo(1);
        assertThat(err.toString()).contains("there is no object in " + directory, "with -R all below");
        assertThat(run("", "validate", "-R", "-f", directory.toString())).isEqualTo(3);
    }

    @Test
    void what_cannot_be_read_is_no_verdict() {
        assertThat(run("", "validate", "-f", "missing.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("missing.yaml: there is no such file");
        assertThat(run("a: 1", "validate", "-f", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, document 1: is no object with a kind");
        assertThat(run("", "validate")).isEqualTo(1);
        assertThat(run("", "validate", "-f", "-", "--before", "-")).isEqualTo(1);
    }

    /** The verdicts that the webhook and the policies give too, on servers. */
    @TestFactory
    Stream<DynamicTest> verdicts_are_those_of_admission() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (InputStream vectors =
                ValidateCommandTest.class.getResourceAsStream("/io/nodeward/core/testkit/vectors/admission.json")) {
            JSON.readTree(vectors).path("cases").forEach(c -> tests.add(
                    dynamicTest(c.path("name").asText(), () -> verdict(c.path("input"), c.path("expected")))));
        }
        assertThat(tests).hasSizeGreaterThan(30);
        return tests.stream();
    }

    private void verdict(JsonNode input, JsonNode expected) throws IOException {
        StringWriter output = new StringWriter();
        Path now = write("now.json", input, input.path("now"));
        List<String> arguments = new ArrayList<>(List.of("validate", "-f", now.toString(), "-o", "json",
                "--feature-gates", "MachineTaintPropagation=" + input.path("gate").asBoolean()));
        if (input.has("before")) {
            arguments.addAll(List.of("--before", write("before.json", input, input.path("before")).toString()));
        }
        int exit = run("", output, arguments.toArray(String[]::new));

        JsonNode json = JSON.readTree(output.toString());
        assertThat(exit).as(output.toString()).isEqualTo(expected.path("allowed").asBoolean() ? 0 : 3);
        assertThat(json.path("findings").valueStream().anyMatch(ValidateCommandTest::isWarningOfAdmission))
                .as(output.toString()).isEqualTo(expected.path("warned").asBoolean());
    }

    /** The cases have places of all versions, each in an object of the newest. */
    private static boolean isWarningOfAdmission(JsonNode finding) {
        return finding.path("severity").asText().equals("warning")
                && !finding.path("message").asText()
                        .matches(".* \\(in Cluster API .*\\)|Cluster API carries it to no .*");
    }

    private Path write(String file, JsonNode input, JsonNode object) throws IOException {
        DeclaringKind kind = Stream.of(DeclaringKind.values())
                .filter(k -> k.kind().equals(input.path("kind").asText())).findFirst().orElseThrow();
        ObjectNode full = object.deepCopy();
        full.put("apiVersion", kind.group() + "/v1beta2").put("kind", kind.kind());
        ObjectNode metadata = full.withObject("/metadata").put("namespace", "fleet").put("name", "n");
        if (input.path("deleting").asBoolean()) {
            metadata.put("deletionTimestamp", "2026-01-02T03:04:05Z");
        }
        return Files.write(directory.resolve(file), JSON.writeValueAsBytes(full));
    }

    private int run(String input, String... arguments) {
        return run(input, out, arguments);
    }

    private int run(String input, StringWriter output, String... arguments) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        CommandLine command = Typed.commandLine(in, new ByteArrayOutputStream());
        command.setOut(new PrintWriter(output, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
