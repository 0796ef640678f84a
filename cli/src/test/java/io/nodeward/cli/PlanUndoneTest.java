package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Edits that somebody may put back are planned, and said not to last. */
class PlanUndoneTest {
    private static final String OLD = "{key: old, value: \"1\", effect: NoSchedule, propagation: Always}";
    private static final String NEW = "{key: new, effect: NoSchedule, propagation: Always}";
    private static final String OWN = "{key: own, effect: NoSchedule, propagation: Always}";
    private static final String SET_REFERENCE =
            "{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineSet, name: workers-x, controller: true}";
    private static final String FLEET = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, annotations: {cluster.x-k8s.io/taints-from-machine: "old:NoSchedule,own:NoSchedule"}}
            spec: {taints: [{key: old, value: "1", effect: NoSchedule}, {key: own, effect: NoSchedule}]}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec: {clusterName: prod, template: {spec: {taints: [OLD]}}}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineSet
            metadata:
              namespace: fleet
              name: workers-x
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, name: workers, controller: true}
            spec:
              clusterName: prod
              template:
                metadata: {labels: {cluster.x-k8s.io/set-name: workers-x}}
                spec: {taints: [OLD]}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata: {namespace: fleet, name: m1, ownerReferences: [REFERENCE]}
            spec: {clusterName: prod, taints: [OLD, OWN]}
            status: {nodeRef: {name: n1}}
            """.replace("OLD", OLD).replace("OWN", OWN).replace("REFERENCE", SET_REFERENCE);
    private static final String PUT_BACK = "warning: Machine fleet/m1: old=1:NoSchedule is declared by ";

    @TempDir
    Path directory;

    private Result plan(String fleet, String edit, String... more) throws IOException {
        return new Planning(directory).plan(fleet, edit, more);
    }

    private static String edit(String kind, String name, String spec) {
        return """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: %s
                metadata: {namespace: fleet, name: %s}
                spec: {%s}
                """.formatted(kind, name, spec);
    }

    private static String template(String kind, String name, String taint) {
        return edit(kind, name, "template: {spec: {taints: [" + taint + "]}}");
    }

    private static String machine(String taints) {
        return edit("Machine", "m1", "taints: [" + taints + "]");
    }

    @Test
    void of_a_set_that_a_deployment_made_it_is_said_where_it_belongs() throws IOException {
        Result result = plan(FLEET, template("MachineSet", "workers-x", NEW));

        assertThat(result).isEqualTo(new Result(0, """
                1 of 1 Node changes
                NODE     TAINT
                n1    -  old=1:NoSchedule
                n1    +  new:NoSchedule
                """, "warning: MachineSet fleet/workers-x is made from a MachineDeployment, which may undo this edit:"
                + " taint machinedeployment/workers\n"));
    }

    @Test
    void of_labels_in_its_template_as_well() throws IOException {
        Result result = plan(FLEET, edit("MachineSet", "workers-x",
                "template: {metadata: {labels: {team: a}}, spec: {taints: [" + OLD + "]}}"));

        assertThat(result.err()).isEqualTo("warning: MachineSet fleet/workers-x is made from a MachineDeployment, which"
                + " may undo this edit: edit machinedeployment/workers\n");
    }

    @Test
    void an_edit_that_changes_nothing_is_not_doubted() throws IOException {
        assertThat(plan(FLEET, template("MachineSet", "workers-x", OLD)).err()).isEmpty();
        assertThat(plan(FLEET, machine(OWN + ", " + OLD)).err()).isEmpty();
    }

    @Test
    void of_what_a_topology_made_the_cluster_is_where_it_belongs() throws IOException {
        assertThat(plan(Typed.fleet(), template("MachineDeployment", "prod-gpu", NEW)).err())
                .contains("warning: MachineDeployment fleet/prod-gpu is made from a topology, which may undo this edit:"
                        + " taint cluster/prod with --place machinedeployment/gpu\n");
    }

    @Test
    void a_deployment_that_nobody_made_keeps_what_is_edited() throws IOException {
        assertThat(plan(FLEET, template("MachineDeployment", "workers", NEW)).err()).isEmpty();
    }

    @Test
    void what_is_edited_with_its_maker_to_the_same_end_lasts() throws IOException {
        String deployment = template("MachineDeployment", "workers", NEW);
        String set = template("MachineSet", "workers-x", NEW);
        String machine = machine(NEW + ", " + OWN);
        for (String edit : new String[]{deployment + set, set + deployment, deployment + machine,
                machine + deployment}) {
            Result result = plan(FLEET, edit);
            assertThat(result.out()).contains("n1    -  old=1:NoSchedule", "n1    +  new:NoSchedule");
            assertThat(result.err()).as(edit).isEmpty();
        }
        assertThat(plan(FLEET, deployment + set.replace("key: new", "key: other")).err())
                .contains("which may undo this edit: taint machinedeployment/workers");
    }

    @Test
    void of_a_machine_what_its_set_declares_is_put_back_and_nothing_else() throws IOException {
        String err = PUT_BACK + "MachineSet workers-x, and is put back: taint machinedeployment/workers\n";
        Result result = plan(FLEET, machine(OWN));
        assertThat(result.out()).contains("n1    -  old=1:NoSchedule");
        assertThat(result.err()).isEqualTo(err);
        assertThat(plan(FLEET, machine(OLD.replace("\"1\"", "\"2\"") + ", " + OWN)).err()).isEqualTo(err);

        assertThat(plan(FLEET, machine(OLD)).err()).isEmpty();
        assertThat(plan(FLEET, machine(OLD + ", " + OWN + ", " + NEW)).err()).isEmpty();
    }

    @Test
    void of_a_machine_whose_maker_is_not_there_that_is_said() throws IOException {
        String other = FLEET.replace("  name: workers-x\n", "  name: other\n");
        assertThat(other).isNotEqualTo(FLEET);
        assertThat(plan(other, machine(OWN)).err()).isEqualTo("warning: Machine fleet/m1: MachineSet fleet/workers-x is"
                + " not there: whether it puts this edit back is not known\n");
        assertThat(plan(other, machine(OLD + ", " + OWN)).err()).isEmpty();
    }

    @Test
    void an_annotation_that_declares_a_taint_is_put_back_as_well() throws IOException {
        String annotated = "annotations: {taint.nodeward.io/more: \"more:NoSchedule\", example.com/other: x}";
        String fleet = FLEET.replace("metadata: {labels: {cluster.x-k8s.io/set-name: workers-x}}",
                "metadata: {" + annotated + "}").replace("name: m1, ", "name: m1, " + annotated + ", ");
        assertThat(plan(fleet, machine(OLD + ", " + OWN)).err()).isEqualTo("warning: Machine fleet/m1: annotation"
                + " taint.nodeward.io/more is declared by MachineSet workers-x, and is put back\n");
        assertThat(plan(fleet, machine(OLD + ", " + OWN).replace("name: m1}", "name: m1, " + annotated + "}")).err())
                .isEmpty();
    }

    @Test
    void what_a_control_plane_declares_is_put_back() throws IOException {
        String fleet = FLEET.replace(SET_REFERENCE,
                "{apiVersion: controlplane.cluster.x-k8s.io/v1beta2, kind: KubeadmControlPlane, name: plane}") + """
                        ---
                        apiVersion: controlplane.cluster.x-k8s.io/v1beta2
                        kind: KubeadmControlPlane
                        metadata: {namespace: fleet, name: plane}
                        spec: {machineTemplate: {spec: {taints: [%s]}}}
                        """.formatted(OLD);
        assertThat(plan(fleet, machine(OWN)).err()).isEqualTo(PUT_BACK + "KubeadmControlPlane plane, and is put back:"
                + " edit spec.machineTemplate of KubeadmControlPlane plane\n");
    }

    @Test
    void what_a_pool_declares_is_put_back_unless_its_gate_is_off() throws IOException {
        String fleet = FLEET.replace(SET_REFERENCE,
                "{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachinePool, name: pool}")
                + edit("MachinePool", "pool", "clusterName: prod, template: {spec: {taints: [" + OLD + "]}}");
        String err = PUT_BACK + "MachinePool pool, and is put back: taint machinepool/pool\n";
        assertThat(plan(fleet, machine(OWN)).err()).isEqualTo(err + "warning: Nodes of MachinePools change only with"
                + " the controller's gate MachinePoolTaintPropagation on, which it is not by default: say with"
                + " --feature-gates what it is\n");
        assertThat(plan(fleet, machine(OWN), "--feature-gates", "MachinePoolTaintPropagation=true").err())
                .isEqualTo(err);
        assertThat(plan(fleet, machine(OWN), "--feature-gates", "MachinePoolTaintPropagation=false").err()).isEmpty();
    }
}
