package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlanCommandTest {
    private static final String FLEET = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec:
              clusterName: prod
              template:
                metadata:
                  labels: {cluster.x-k8s.io/deployment-name: workers}
                spec:
                  taints: [{key: old, effect: NoSchedule, propagation: Always}]
            ---
            apiVersion: v1
            kind: List
            items:
            - apiVersion: cluster.x-k8s.io/v1beta2
              kind: Machine
              metadata:
                namespace: fleet
                name: m1
                labels: {cluster.x-k8s.io/deployment-name: workers}
              spec:
                clusterName: prod
                taints:
                - {key: old, effect: NoSchedule, propagation: Always}
                - {key: own, effect: NoSchedule, propagation: Always}
              status: {nodeRef: {name: n1}}
            - apiVersion: v1
              kind: Node
              metadata:
                name: n1
                annotations: {cluster.x-k8s.io/taints-from-machine: "old:NoSchedule,own:NoSchedule"}
              spec:
                taints:
                - {key: old, effect: NoSchedule}
                - {key: own, effect: NoSchedule}
                - {key: theirs, effect: NoSchedule}
            - {apiVersion: v1, kind: Node, metadata: {name: n2}}
            ---
            ---
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {namespace: shop, name: web}
            spec: {selector: {matchLabels: {app: web}}}
            """;
    private static final String PODS = """
            {"apiVersion":"v1","kind":"PodList","items":[
              {"metadata":{"namespace":"shop","name":"web-1","labels":{"app":"web"}},"spec":{"nodeName":"n1"}},
              {"metadata":{"namespace":"shop","name":"slow"},"spec":{"nodeName":"n1",
                "tolerations":[{"key":"new","operator":"Exists","tolerationSeconds":60}]}},
              {"metadata":{"namespace":"shop","name":"waits"},"spec":{"tolerations":[
                {"key":"own","operator":"Exists"},{"key":"theirs","operator":"Exists"},
                {"key":"new","operator":"Exists"}]},"status":{"phase":"Pending"}}]}
            """;
    private static final String EDIT = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec: {template: {spec: {taints: [{key: new, effect: NoExecute, propagation: Always}]}}}
            """;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir
    Path directory;

    @BeforeEach
    void writeFleet() throws IOException {
        Files.writeString(directory.resolve("fleet.yaml"), FLEET);
        Files.writeString(directory.resolve("pods.json"), PODS);
        Files.writeString(directory.resolve("notes.txt"), "nothing to be read");
    }

    @Test
    void an_edit_of_a_machine_deployment_is_followed_to_nodes_and_pods() {
        int exit = plan(EDIT, "--edit", "-");

        assertThat(out.toString()).isEqualTo("""
                1 of 2 Nodes changes
                NODE     TAINT
                n1    -  old:NoSchedule
                n1    +  new:NoExecute

                2 pods are evicted, budgets or not
                NODE  POD         DELETED    BECAUSE OF     BUDGET
                n1    shop/slow   after 60s  new:NoExecute
                n1    shop/web-1  at once    new:NoExecute  web

                Nodes open (+) or close (-) for 1 pending pod, as far as taints decide it
                POD            NODE
                shop/waits  +  n1
                """);
        assertThat(err.toString()).isEmpty();
        assertThat(exit).isZero();
    }

    @Test
    void a_program_reads_the_same() throws IOException {
        plan(EDIT, "--edit", "-", "-o", "json");

        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.path("nodes").asInt()).isEqualTo(2);
        assertThat(json.path("evictedPods").asInt()).isEqualTo(2);
        assertThat(json.at("/changes/0/added/0").asText()).isEqualTo("new:NoExecute");
        assertThat(json.at("/changes/0/removed/0").asText()).isEqualTo("old:NoSchedule");
        assertThat(json.at("/changes/0/pods/0/afterSeconds").asInt()).isEqualTo(60);
        assertThat(json.at("/changes/0/pods/1/budgets/0").asText()).isEqualTo("shop/web");
        assertThat(json.at("/pendingPods/0/opened/0").asText()).isEqualTo("n1");
    }

    @Test
    void a_pull_request_shows_tables() {
        plan(EDIT, "--edit", "-", "-o", "markdown");

        assertThat(out.toString()).startsWith("""
                ### 1 of 2 Nodes changes

                | NODE |  | TAINT |
                |---|---|---|
                | n1 | - | old:NoSchedule |
                """);
    }

    @Test
    void what_is_declared_already_changes_nothing() {
        assertThat(plan("", "--fail-on", "changes")).isZero();
        assertThat(out.toString()).isEqualTo("0 of 2 Nodes change\n");
    }

    @Test
    void a_pipeline_stops_where_it_is_told_to() {
        assertThat(plan(EDIT, "--edit", "-", "--fail-on", "changes")).isEqualTo(3);
        assertThat(plan(EDIT, "--edit", "-", "--fail-on", "evictions")).isEqualTo(3);
        String harmless = EDIT.replace("NoExecute", "NoSchedule");
        assertThat(plan(harmless, "--edit", "-", "--fail-on", "changes")).isEqualTo(3);
        assertThat(plan(harmless, "--edit", "-", "--fail-on", "evictions")).isZero();
    }

    @Test
    void what_cannot_be_used_is_named_with_file_and_object() {
        assertThat(plan("kind: ClusterClass\napiVersion: cluster.x-k8s.io/v1beta2\nmetadata: {name: c}\n",
                "--edit", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("standard input, document 1: ClusterClass c: edits of a topology");
        assertThat(plan(EDIT.replace("name: workers", "name: other"), "--edit", "-")).isEqualTo(2);
        assertThat(err.toString()).contains("MachineDeployment fleet/other: is edited, but not in the fleet");
        assertThat(plan("a: [", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, line 1");
        assertThat(plan("a: 1", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, document 1: is no object with a kind");
        assertThat(run("", "plan", "-f", "missing.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("missing.yaml: there is no such file");
    }

    @Test
    void what_is_left_out_is_said() {
        plan(EDIT.replace("key: new", "key: -new"), "--edit", "-");

        assertThat(err.toString()).startsWith("warning: taint -new=:NoExecute is not written to any Node");
        assertThat(out.toString()).contains("n1    -  old:NoSchedule").doesNotContain("new");
    }

    private int plan(String input, String... more) {
        List<String> arguments = new ArrayList<>(List.of("plan", "-f", directory.toString()));
        arguments.addAll(List.of(more));
        return run(input, arguments.toArray(String[]::new));
    }

    private int run(String input, String... arguments) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        CommandLine command = Main.commandLine(in, new ByteArrayOutputStream());
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
