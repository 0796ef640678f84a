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

                Nodes become schedulable (+) or filtered out (-) for 1 pending pod, as far as
                taints decide it
                POD            NODES
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
        assertThat(json.at("/pendingPods/0/nowSchedulable/0").asText()).isEqualTo("n1");
    }

    @Test
    void a_pull_request_shows_tables() {
        plan(EDIT, "--edit", "-", "-o", "markdown");

        assertThat(out.toString()).startsWith("""
                ### 1 of 2 Nodes changes

                | NODE |  | TAINT |
                |---|---|---|
                | `n1` | `-` | `old:NoSchedule` |
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
    void an_edited_node_is_followed_to_its_pods() {
        String edit = "{apiVersion: v1, kind: Node, metadata: {name: n1, annotations: {"
                + "cluster.x-k8s.io/taints-from-machine: \"old:NoSchedule,own:NoSchedule\"}}, spec: {taints: ["
                + "{key: old, effect: NoSchedule}, {key: own, effect: NoSchedule}, {key: theirs, effect: NoSchedule},"
                + "{key: gone, effect: NoExecute}]}}";
        assertThat(plan(edit, "--edit", "-", "--fail-on", "evictions")).isEqualTo(3);
        assertThat(out.toString()).contains("n1    +  gone:NoExecute").contains("2 pods are evicted");
    }

    @Test
    void an_edit_that_replaces_machines_says_so() {
        String edit = EDIT.replace("template: {spec: {", "template: {spec: {version: v1.37.0, ");
        assertThat(plan(edit, "--edit", "-", "--fail-on", "evictions")).isEqualTo(3);
        assertThat(out.toString()).contains("MachineDeployment fleet/workers replaces or removes Machines");
    }

    @Test
    void a_cluster_is_chosen_where_there_are_several() throws IOException {
        Files.writeString(directory.resolve("other.yaml"), """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: m2}
                spec: {clusterName: other, taints: [{key: x, effect: NoExecute, propagation: Always}]}
                status: {nodeRef: {name: n1}}
                """);
        assertThat(plan("")).isEqualTo(1);
        assertThat(err.toString()).contains("Machines of several Clusters: fleet/other, fleet/prod", "--cluster");
        assertThat(plan("", "--cluster", "prod", "--fail-on", "changes")).isZero();
    }

    @Test
    void what_the_controller_would_not_touch_is_not_planned_either() throws IOException {
        Path fleet = directory.resolve("fleet.yaml");
        Files.writeString(fleet, FLEET.replace("    name: m1\n",
                "    name: m1\n    annotations: {cluster.x-k8s.io/paused: \"\"}\n"));
        assertThat(plan(EDIT, "--edit", "-", "--fail-on", "changes")).isZero();
        assertThat(err.toString()).contains("Node n1 is not planned: fleet/m1 is paused");
    }

    @Test
    void what_is_missing_is_no_green_plan() throws IOException {
        assertThat(plan("", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no object in -");
        Files.writeString(directory.resolve("fleet.yaml"), "");
        assertThat(plan("")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no Node in " + directory);
        assertThat(run("", "plan", "-f", "-", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input can be read once");
    }

    @Test
    void a_cluster_that_has_no_machine_there_is_no_green_plan() {
        assertThat(plan(EDIT, "--edit", "-", "--cluster", "prdo")).isEqualTo(1);
        assertThat(err.toString()).contains("there is no Machine or MachinePool of Cluster prdo in " + directory);
    }

    @Test
    void with_the_gate_off_nothing_that_is_declared_comes() {
        assertThat(plan(EDIT, "--edit", "-", "--feature-gates=MachineTaintPropagation=false")).isZero();
        assertThat(out.toString()).startsWith("0 of 2 Nodes change");
    }

    @Test
    void what_else_an_edit_does_is_told() {
        String fewer = EDIT.replace("spec: {", "spec: {replicas: 0, minReadySeconds: 5, ");
        assertThat(plan(fewer, "--edit", "-", "--fail-on", "evictions", "-o", "markdown")).isEqualTo(3);
        assertThat(out.toString()).contains(
                "MachineDeployment fleet/workers (spec.replicas) replaces or removes Machines",
                "### Left out",
                "`MachineDeployment fleet/workers: what the edit of spec.minReadySeconds does is not planned`");
    }

    @Test
    void an_edit_that_no_server_would_store_is_refused() {
        assertThat(plan(EDIT.replace("NoExecute", "NoExcute"), "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("MachineDeployment fleet/workers: spec.template.spec.taints[0].effect");
        assertThat(plan(EDIT.replace("[{key: new, effect: NoExecute, propagation: Always}]", "{key: new}"),
                "--edit", "-")).isEqualTo(1);
        assertThat(plan(EDIT.replace("template: {spec: {taints", "{taints".substring(1)).replace("}]}}}", "}]}"),
                "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("spec.taints: this kind declares them in spec.template.spec.taints");
    }

    @Test
    void a_namespace_that_is_not_named_is_given() {
        String edit = EDIT.replace("namespace: fleet, ", "");
        assertThat(plan(edit, "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("it names no namespace: give one with -n");
        assertThat(plan(edit, "--edit", "-", "-n", "fleet", "--fail-on", "changes")).isEqualTo(3);
    }

    @Test
    void what_cannot_be_used_is_named_with_file_and_object() {
        assertThat(plan("kind: ClusterClass\napiVersion: cluster.x-k8s.io/v1beta2\nmetadata: {name: c}\n",
                "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, document 1: ClusterClass c: edits of this kind");
        assertThat(plan(EDIT.replace("name: workers", "name: other"), "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("MachineDeployment fleet/other: is edited, but not in the fleet");
        assertThat(plan("a: [", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, line 1");
        assertThat(plan("a: 1", "--edit", "-")).isEqualTo(1);
        assertThat(err.toString()).contains("standard input, document 1: is no object with a kind");
        assertThat(run("", "plan", "-f", "missing.yaml")).isEqualTo(1);
        assertThat(err.toString()).contains("missing.yaml: there is no such file");
    }

    /** The edit is a stream that kustomize prints. */
    @Test
    void objects_on_which_no_taint_depends_are_skipped_and_counted() {
        String others = """
                {kind: ConfigMap, apiVersion: v1, metadata: {name: a}}
                ---
                kind: List
                apiVersion: v1
                items:
                - {kind: ConfigMap, apiVersion: v1, metadata: {name: b}}
                - {kind: Pod, apiVersion: v1, metadata: {namespace: shop, name: waits}}
                ---
                {"kind": "MachineHealthCheck", "apiVersion": "cluster.x-k8s.io/v1beta2", "metadata": {"name": "m"}}
                ---
                {"kind": "MachineDrainRule", "apiVersion": "cluster.x-k8s.io/v1beta2", "metadata": {"name": "p"}}
                ---
                """;
        assertThat(plan(others + EDIT, "--edit", "-", "--fail-on", "changes")).isEqualTo(3);
        assertThat(out.toString()).startsWith("1 of 2 Nodes changes\n");
        assertThat(err.toString()).isEqualTo("warning: not planned, as no taint depends on them:"
                + " 2 ConfigMap, 1 MachineDrainRule, 1 MachineHealthCheck, 1 Pod\n");
        assertThat(plan(others, "--edit", "-", "--fail-on", "changes")).as("no edit at all").isZero();
    }

    @Test
    void what_is_left_out_is_said() {
        plan(EDIT.replace("key: new", "key: Foo.com/new"), "--edit", "-");

        assertThat(err.toString()).startsWith("warning: taint Foo.com/new=:NoExecute is not written to any Node");
        assertThat(out.toString()).contains("n1    -  old:NoSchedule").doesNotContain("new");
    }

    @Test
    void nothing_in_a_file_commands_a_terminal() throws IOException {
        Files.writeString(directory.resolve("pods.json"), PODS.replace("web-1", "web\\u001b[2J|`1"));
        plan(EDIT, "--edit", "-");
        assertThat(out.toString()).contains("shop/web\\u001b[2J|`1").doesNotContain("\u001b");
        plan(EDIT, "--edit", "-", "-o", "markdown");
        assertThat(out.toString()).contains("| `shop/web\\u001b[2J\\|'1` |");
    }

    private int plan(String input, String... more) {
        List<String> arguments = new ArrayList<>(List.of("plan", "-f", directory.toString()));
        arguments.addAll(List.of(more));
        return run(input, arguments.toArray(String[]::new));
    }

    private int run(String input, String... arguments) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        CommandLine command = Typed.commandLine(in, new ByteArrayOutputStream());
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
