package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A MachineDeployment with {@code spec.paused}: its rollouts wait, and its taints are carried all the same. */
class PlanPauseTest {
    private static final String DEPLOYMENT = """
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec: {clusterName: prod, template: {spec: {taints: []}}}
            """;
    private static final String FLEET = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, annotations: {cluster.x-k8s.io/taints-from-machine: ""}}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {namespace: fleet, name: m1, labels: {cluster.x-k8s.io/deployment-name: workers}}
            spec: {clusterName: prod}
            status: {nodeRef: {name: n1}}
            """ + DEPLOYMENT;
    private static final String EDIT =
            DEPLOYMENT.replace("taints: []", "taints: [{key: new, effect: NoSchedule, propagation: Always}]");
    private static final String HELD =
            "warning: MachineDeployment fleet/workers: spec.paused holds rollouts back until it ends, and nothing"
                    + " else that is planned\n";

    @TempDir
    Path directory;

    private static String paused(String objects, boolean paused) {
        return objects.replace("clusterName: prod, template", "clusterName: prod, paused: " + paused + ", template");
    }

    private String err(String fleet, String edit) throws IOException {
        Result result = new Planning(directory).plan(fleet, edit);
        assertThat(result.out()).contains("n1    +  new:NoSchedule");
        return result.err();
    }

    @Test
    void it_is_said_to_hold_rollouts_alone() throws IOException {
        assertThat(err(paused(FLEET, true), EDIT)).isEqualTo(HELD);
        assertThat(err(paused(FLEET, true), paused(EDIT, true))).isEqualTo(HELD);
    }

    @Test
    void an_edit_that_begins_it_is_planned_all_the_same() throws IOException {
        assertThat(err(FLEET, paused(EDIT, true))).isEqualTo(HELD);
    }

    @Test
    void an_edit_that_ends_it_may_begin_a_rollout() throws IOException {
        assertThat(err(paused(FLEET, true), paused(EDIT, false))).isEqualTo("warning: MachineDeployment fleet/workers:"
                + " the edit ends spec.paused: a rollout that waits for it is not planned\n");
        String whole = EDIT.replace("spec: {taints", "spec: {infrastructureRef: {name: i}, taints");
        assertThat(err(paused(FLEET, true).replace("spec: {taints", "spec: {infrastructureRef: {name: i}, taints"),
                whole)).as("a whole object without the field").contains("the edit ends spec.paused");
    }

    @Test
    void a_rollout_that_has_waited_for_its_end_replaces_machines() throws IOException {
        String set = """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineSet
                metadata: {namespace: fleet, name: workers-x, labels: {cluster.x-k8s.io/deployment-name: workers}}
                spec: {clusterName: prod, replicas: 1, template: {spec: {version: v1.35.0, taints: []}}}
                """;
        String fleet = paused(FLEET, true).replace("spec: {taints: []}", "spec: {version: v1.36.0, taints: []}");
        String replaced = "MachineDeployment fleet/workers (spec.paused)";
        assertThat(new Planning(directory).plan(fleet + set, paused(EDIT, false)).out()).contains(replaced);
        assertThat(new Planning(directory).plan(fleet + set.replace("v1.35.0", "v1.36.0"), paused(EDIT, false)).out())
                .doesNotContain(replaced);
        assertThat(new Planning(directory).plan(fleet + set, EDIT).out()).doesNotContain(replaced);
    }

    @Test
    void where_nothing_is_paused_nothing_is_said() throws IOException {
        assertThat(err(FLEET, paused(EDIT, false))).isEmpty();
        assertThat(err(paused(FLEET, false), EDIT)).isEmpty();
    }

    @Test
    void the_annotation_holds_everything_up_whatever_the_field_says() throws IOException {
        String fleet = paused(FLEET, true).replace("name: workers}\nspec",
                "name: workers, annotations: {cluster.x-k8s.io/paused: ''}}\nspec");
        assertThat(err(fleet, EDIT)).isEqualTo("warning: MachineDeployment fleet/workers is paused: what is planned"
                + " comes once it is not\n");
    }
}
