package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What of an edited Node is taken, and what is refused. */
class PlanNodeEditTest {
    private static final String FLEET =
            """
                    apiVersion: v1
                    kind: Node
                    metadata:
                      name: n1
                      annotations: {cluster.x-k8s.io/taints-from-machine: ""}
                      finalizers: []
                    spec:
                      providerID: cloud://1
                      taints: [{key: theirs, effect: NoSchedule}, {key: node.kubernetes.io/not-ready, effect: NoExecute}]
                    status: {conditions: [{type: Ready, status: "False"}]}
                    ---
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Machine
                    metadata: {namespace: fleet, name: m1}
                    spec:
                      clusterName: prod
                      providerID: cloud://1
                      taints: [{key: once, effect: NoExecute, propagation: OnInitialization}]
                    ---
                    apiVersion: v1
                    kind: Pod
                    metadata: {namespace: shop, name: waits}
                    spec: {tolerations: [{key: theirs, operator: Exists}, {key: node.kubernetes.io/not-ready, operator: Exists}]}
                    """;
    private static final String CORDONED = FLEET
            .replace("  taints: [{key: theirs", "  unschedulable: true\n"
                    + "  taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}, {key: theirs");

    @TempDir
    Path directory;

    private Result plan(String fleet, String metadata, String rest, String... more) throws IOException {
        return new Planning(directory).plan(fleet,
                "{apiVersion: v1, kind: Node, metadata: {name: n1" + metadata + "}" + rest + "}", more);
    }

    @Test
    void what_the_file_does_not_carry_stays() throws IOException {
        Result result = plan(FLEET, ", labels: {team: a}", ", status: {phase: Old}");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).isEqualTo("0 of 1 Node change\n");
    }

    @Test
    void a_list_of_taints_is_taken_whole_and_an_empty_one_too() throws IOException {
        String ready = "{key: node.kubernetes.io/not-ready, effect: NoExecute}";
        assertThat(plan(FLEET, "", ", spec: {taints: [" + ready + ", {key: mine, value: x, effect: NoSchedule}]}")
                .out()).contains("n1    -  theirs:NoSchedule\n", "n1    +  mine=x:NoSchedule\n")
                .doesNotContain("not-ready");
        assertThat(plan(FLEET, "", ", spec: {taints: []}").out()).contains("n1    -  theirs:NoSchedule\n");
        assertThat(plan(FLEET, "", ", spec: {taints: null}").out()).contains("n1    -  theirs:NoSchedule\n");
    }

    @Test
    void an_annotation_that_is_removed_is_gone() throws IOException {
        assertThat(plan(FLEET, ", annotations: {cluster.x-k8s.io/taints-from-machine: null}", "").out())
                .contains("n1    +  once:NoExecute");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "[{key: a, effect: NoExcute}]                             | spec.taints[0].effect: Unsupported value: \"NoExcute\"",
            "[{key: a}]                                               | spec.taints[0].effect: Required value",
            "[{key: a b, effect: NoExecute}]                          | spec.taints[0].key: Invalid value: \"a b\"",
            "[{key: a, effect: NoExecute},{key: a, effect: NoExecute}]| spec.taints[1]: Duplicate value",
            "[{key: a, value: 1, effect: NoExecute}]                  | spec.taints[0].value: must be of type string, is number",
            "[{key: a, effect: NoExecute, propagation: Always}]       | spec.taints[0].propagation: a taint of a Node has no such field",
            "[{key: a, effect: NoExecute, timeAdded: today}]          | spec.taints[0].timeAdded: is no time",
            "[a]                                                      | spec.taints[0]: must be of type object, is string",
            "{key: a, effect: NoExecute}                              | spec.taints: must be of type array, is object"
    })
    void taints_that_no_server_stores_are_refused_with_file_object_and_field(String taints, String fault)
            throws IOException {
        Result result = plan(FLEET, "", ", spec: {taints: " + taints + "}");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("edit.yaml, document 1: Node n1: " + fault);
        assertThat(result.out()).isEmpty();
    }

    @Test
    void other_fields_that_no_server_stores_are_refused_too() throws IOException {
        assertThat(plan(FLEET, ", labels: {a: true}", "").err())
                .contains("metadata.labels[a]: must be of type string, is boolean");
        assertThat(plan(FLEET, "", ", spec: {unschedulable: \"yes\"}").err())
                .contains("spec.unschedulable: must be of type boolean, is string");
    }

    @Test
    void a_cordon_brings_its_taint_and_closes_the_node() throws IOException {
        Result result = plan(FLEET, "", ", spec: {unschedulable: true}");
        assertThat(result.out()).contains("n1    +  node.kubernetes.io/unschedulable:NoSchedule", "shop/waits  -  n1");
        assertThat(result.err()).isEmpty();
        assertThat(plan(CORDONED, "", ", spec: {unschedulable: false}").out())
                .contains("n1    -  node.kubernetes.io/unschedulable:NoSchedule", "shop/waits  +  n1");
    }

    @Test
    void a_cordon_keeps_its_taint_whatever_the_list_says() throws IOException {
        assertThat(plan(CORDONED, "", ", spec: {taints: [{key: theirs, effect: NoSchedule},"
                + "{key: node.kubernetes.io/not-ready, effect: NoExecute}]}").out())
                .isEqualTo("0 of 1 Node change\n");
    }

    @Test
    void what_is_not_planned_or_does_not_last_is_named() throws IOException {
        Result result = plan(FLEET, ", uid: other, finalizers: [a.b/c]", ", spec: {providerID: cloud://2, taints: []}");
        assertThat(result.err()).contains(
                "warning: Node n1: what the edit of spec.providerID does is not planned",
                "warning: Node n1: what the edit of metadata.finalizers does is not planned",
                "warning: Node n1: node.kubernetes.io/not-ready:NoExecute is set and removed by another controller,"
                        + " which may undo this edit")
                .doesNotContain("uid", "theirs");
    }
}
