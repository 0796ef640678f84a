package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An edited Cluster: its ClusterClass declares team for the workers gpu, and the Cluster gpu=a100 instead. */
class PlanTopologyEditTest {
    private static final String CONTROL_PLANE = "{}";
    private static final String WORKERS = "{class: worker, name: gpu, taints: ["
            + "{key: gpu, value: h100, effect: NoSchedule, propagation: Always},"
            + "{key: more, effect: NoSchedule, propagation: Always}]}";

    @TempDir
    Path directory;

    private static String cluster(String controlPlane, String workers, String more) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {namespace: fleet, name: prod}
                spec:
                  topology:
                    classRef: {name: standard}
                    controlPlane: %s
                    workers: {machineDeployments: [%s]%s}
                """.formatted(controlPlane, workers, more);
    }

    private Result plan(String fleet, String edit, String... more) throws IOException {
        return new Planning(directory).plan(fleet, edit, more);
    }

    @Test
    void taints_of_workers_come_to_their_nodes_as_cluster_api_carries_them() throws IOException {
        Result result = plan(Typed.fleet(), cluster(CONTROL_PLANE, WORKERS, ""));
        assertThat(result.out()).contains("n1    ~  gpu=h100:NoSchedule (was gpu=a100:NoSchedule)",
                "n1    +  more:NoSchedule", "n1    +  new:NoExecute").doesNotContain("team");
        assertThat(result.err())
                .contains("Cluster fleet/prod: as Cluster API has it, its list of taints replaces that of"
                        + " its ClusterClass", "TopologyTaintPropagation");
        assertThat(plan(Typed.fleet(), cluster(CONTROL_PLANE, WORKERS, ""),
                "--feature-gates=TopologyTaintPropagation=false")).isEqualTo(new Result(0, result.out(), ""));
    }

    @Test
    void with_the_gate_on_those_of_the_class_come_as_well() throws IOException {
        Result result = plan(Typed.fleet(), cluster(CONTROL_PLANE, WORKERS, ""),
                "--feature-gates=TopologyTaintPropagation=true");
        assertThat(result.out()).contains("n1    +  more:NoSchedule", "n1    +  team:NoSchedule");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void a_list_that_is_gone_leaves_those_of_the_class() throws IOException {
        Result result = plan(Typed.fleet(), cluster(CONTROL_PLANE, "{class: worker, name: gpu}", ""));
        assertThat(result.out()).contains("n1    -  gpu=a100:NoSchedule", "n1    +  team:NoSchedule");
    }

    @Test
    void taints_of_the_control_plane_come_if_its_provider_carries_them() throws IOException {
        Result result = plan(Typed.fleet(), cluster("{taints: [{key: cp, effect: NoSchedule, propagation: Always}]}",
                WORKERS.replace("h100", "a100").replaceFirst(",\\{key: more[^}]*}", ""), ""));
        assertThat(result.out()).contains("cp1   +  cp:NoSchedule").doesNotContain("more");
        assertThat(result.err()).isEqualTo("warning: Cluster fleet/prod: the taints of its control plane come if the"
                + " provider carries them to Machines\n");
    }

    @Test
    void a_cluster_that_is_not_edited_changes_nothing_more() throws IOException {
        String same = WORKERS.replace("h100", "a100").replaceFirst(",\\{key: more[^}]*}", "");
        assertThat(plan(Typed.fleet(), cluster(CONTROL_PLANE, same, "")).out().replace(
                "Already pending, without this edit: ", ""))
                .isEqualTo("0 of 4 Nodes change\n\n" + plan(Typed.fleet(), "").out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "{variables: []}        | {class: worker, name: gpu}              | ''                            | -",
            "{replicas: 3}          | {class: worker, name: gpu}              | ''                            | controlPlane.replicas",
            "{}                     | {class: other, name: gpu}               | ''                            | workers.machineDeployments[0].class",
            "{}                     | {class: worker, name: gpu, replicas: 3} | ''                            | workers.machineDeployments[0].replicas",
            "{}                     | ''                                      | ''                            | workers.machineDeployments",
            "{}                     | {class: worker, name: gpu}              | ', machinePools: [{name: p}]' | workers.machinePools"
    })
    void an_edit_of_anything_else_is_refused_with_the_field(
            String controlPlane, String workers, String more, String field) throws IOException {
        Result result = plan(Typed.fleet(), cluster(controlPlane, workers, more));
        if (field == null) {
            assertThat(result.exit()).isZero();
        } else {
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("edit.yaml, document 1: Cluster fleet/prod: spec.topology." + field
                    + ": of a Cluster the taints of its topology's control plane and MachineDeployments are planned");
        }
    }

    @Test
    void what_goes_by_being_left_out_is_refused_with_the_field() throws IOException {
        String edit = cluster(CONTROL_PLANE, WORKERS, "");
        String annotated = Typed.fleet().replace("- class: worker\n        name: gpu", "- metadata: {annotations:"
                + " {taint.nodeward.io/x: \"x:NoExecute\"}}\n        class: worker\n        name: gpu");
        assertThat(annotated).isNotEqualTo(Typed.fleet());
        assertThat(plan(annotated, edit).err())
                .contains("Cluster fleet/prod: spec.topology.workers.machineDeployments[0]."
                        + "metadata.annotations[taint.nodeward.io/x]: of a Cluster");
        String paused = Typed.fleet().replaceFirst("(kind: Cluster\n(?s:.*?)\nspec:\n)", "$1  paused: true\n");
        assertThat(paused).isNotEqualTo(Typed.fleet());
        assertThat(plan(paused, edit).err()).contains("Cluster fleet/prod: spec.paused: of a Cluster");
    }

    @Test
    void a_paused_deployment_is_said_to_carry_later() throws IOException {
        String fleet = Typed.fleet().replace("kind: MachineDeployment\nmetadata:\n",
                "kind: MachineDeployment\nmetadata:\n  annotations: {cluster.x-k8s.io/paused: ''}\n");
        assertThat(fleet).isNotEqualTo(Typed.fleet());
        assertThat(plan(fleet, cluster(CONTROL_PLANE, WORKERS, "")).err())
                .contains("MachineDeployment fleet/prod-gpu is paused: what is planned comes once it is not");
    }

    @Test
    void taints_that_no_server_stores_are_refused() throws IOException {
        assertThat(plan(Typed.fleet(), cluster(CONTROL_PLANE, WORKERS.replace("NoSchedule", "NoShedule"), "")).err())
                .contains("Cluster fleet/prod: spec.topology.workers.machineDeployments[0].taints[0].effect: ");
        assertThat(plan(Typed.fleet(), cluster("{taints: []}", WORKERS, "")).err())
                .contains("Cluster fleet/prod: spec.topology.controlPlane.taints: must have at least 1 item");
    }

    @Test
    void what_is_not_there_is_no_green_plan() throws IOException {
        String edit = cluster(CONTROL_PLANE, WORKERS, "");
        assertThat(plan(Typed.fleet().replace("kind: ClusterClass", "kind: Other"), edit).err())
                .contains("its ClusterClass fleet/standard, which may declare taints as well, is not there");
        assertThat(plan(Typed.fleet().replace("deployment-name: gpu", "deployment-name: cpu"), edit).err())
                .contains("the MachineDeployment of gpu in its topology is not there");
        assertThat(plan(Typed.fleet().replace("- class: worker\n      taints", "- class: wrong\n      taints"), edit)
                .err()).contains("its ClusterClass does not have machineDeployments gpu (class worker)");
    }
}
