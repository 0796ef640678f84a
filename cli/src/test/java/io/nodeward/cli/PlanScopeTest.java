package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose Nodes a plan is about, and which of them the controller leaves alone. */
class PlanScopeTest {
    private static final String NODE = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, annotations: {cluster.x-k8s.io/taints-from-machine: ""}}
            spec: {providerID: "cloud://1"}
            """;
    private static final String TAINTS = "taints: [{key: new, effect: NoSchedule, propagation: Always}]";
    private static final String EDIT = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec: {template: {spec: {%s}}}
            """.formatted(TAINTS);
    private static final String POOL = """
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachinePool
            metadata: {namespace: fleet, name: pool}
            spec: {clusterName: prod, providerIDList: ["cloud://1"], template: {spec: {%s}}}
            """;

    @TempDir
    Path directory;

    private Result plan(String fleet, String edit, String... more) throws IOException {
        return new Planning(directory).plan(fleet, edit, more);
    }

    private static String cluster(String namespace, String metadata, String spec) {
        return """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {namespace: %s, name: prod%s}
                spec: {%s}
                """.formatted(namespace, metadata, spec);
    }

    /** A MachineDeployment with a MachineSet and a Machine, which name each other as owners alone. */
    private static String workers(String namespace, String taints) {
        return """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineDeployment
                metadata: {namespace: NAMESPACE, name: workers}
                spec: {clusterName: prod, template: {spec: {TAINTS}}}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineSet
                metadata: {namespace: NAMESPACE, name: s1, ownerReferences: [{kind: MachineDeployment, name: workers}]}
                spec: {clusterName: prod}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: NAMESPACE, name: m1, ownerReferences: [{kind: MachineSet, name: s1}]}
                spec: {clusterName: prod, providerID: "cloud://1", TAINTS}
                """.replace("NAMESPACE", namespace).replace("TAINTS", taints);
    }

    @Test
    void an_edit_reaches_machines_that_only_a_machine_set_ties_to_it() throws IOException {
        Result result = plan(NODE + workers("fleet", ""), EDIT);
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("n1    +  new:NoSchedule");
    }

    @Test
    void nodes_of_a_paused_cluster_are_not_planned() throws IOException {
        Result result = plan(NODE + workers("fleet", "") + cluster("fleet", "", "paused: true"), EDIT);
        assertThat(result.out()).isEqualTo("0 of 1 Node change\n");
        assertThat(result.err()).isEqualTo("warning: Cluster fleet/prod is paused: its Nodes are not planned\n");
        String pool = POOL.formatted(TAINTS);
        assertThat(plan(NODE + pool + cluster("fleet", "", "paused: true"), "").err())
                .contains("Cluster fleet/prod is paused");
    }

    @Test
    void the_pause_annotation_of_a_cluster_stops_the_cluster_alone_and_not_its_machines() throws IOException {
        String fleet = NODE + workers("fleet", "")
                + cluster("fleet", ", annotations: {cluster.x-k8s.io/paused: \"\"}", "paused: false");
        assertThat(plan(fleet, EDIT).out()).contains("n1    +  new:NoSchedule");
    }

    @Test
    void a_paused_owner_is_said_to_carry_later() throws IOException {
        String fleet = NODE + workers("fleet", "").replaceFirst("name: workers}",
                "name: workers, annotations: {cluster.x-k8s.io/paused: ''}}");
        Result result = plan(fleet, EDIT);
        assertThat(result.err()).isEqualTo("warning: MachineDeployment fleet/workers is paused: what is planned comes"
                + " once it is not\n");
        assertThat(result.out()).contains("n1    +  new:NoSchedule");
    }

    @Test
    void a_cluster_is_named_with_its_namespace() throws IOException {
        String fleet = NODE + workers("fleet", TAINTS) + workers("other", "");
        assertThat(plan(fleet, "", "--cluster", "fleet/prod").out()).contains("n1    +  new:NoSchedule");
        assertThat(plan(fleet, "", "--cluster", "other/prod").out()).isEqualTo("0 of 1 Node change\n");
        assertThat(plan(fleet, "", "--cluster", "none/prod").err())
                .contains("there is no Machine or MachinePool of Cluster none/prod");
    }

    @Test
    void a_name_that_may_mean_several_clusters_is_refused_with_all_of_them() throws IOException {
        String machines = NODE + workers("fleet", TAINTS) + workers("other", "");
        for (String fleet : new String[]{machines,
                NODE + workers("fleet", TAINTS) + cluster("fleet", "", "") + cluster("other", "", "")}) {
            Result result = plan(fleet, "", "--cluster", "prod");
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("several Clusters", "fleet/prod, other/prod", "--cluster");
        }
    }

    @Test
    void half_a_name_of_a_cluster_is_refused() throws IOException {
        for (String named : new String[]{"fleet/", "/prod", "a/b/c"}) {
            Result result = plan(NODE + workers("fleet", ""), "", "--cluster", named);
            assertThat(result.exit()).isEqualTo(1);
            assertThat(result.err()).contains("--cluster is [NAMESPACE/]NAME, not '" + named + "'");
        }
    }

    @Test
    void an_edit_of_another_cluster_is_no_green_plan() throws IOException {
        String fleet = NODE + workers("fleet", "") + workers("other", "");
        Result result = plan(fleet, EDIT, "--cluster", "other/prod");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("MachineDeployment fleet/workers: is of Cluster fleet/prod, but the plan is of"
                        + " Cluster other/prod");
    }

    @Test
    void an_edit_of_a_node_beside_a_cluster_that_is_not_there_is_no_green_plan() throws IOException {
        Result result = plan(NODE + workers("fleet", ""), NODE, "--cluster", "prdo");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("there is no Machine or MachinePool of Cluster prdo");
    }

    @Test
    void the_gate_of_pools_is_on_off_or_not_known() throws IOException {
        String fleet = NODE + POOL.formatted(TAINTS);
        Result unknown = plan(fleet, "");
        assertThat(unknown.out()).contains("n1    +  new:NoSchedule");
        assertThat(unknown.err()).contains("change only with the controller's gate MachinePoolTaintPropagation on");
        for (String gate : new String[]{"MachinePoolTaintPropagation=true", "AllAlpha=true"}) {
            Result on = plan(fleet, "", "--feature-gates", gate);
            assertThat(on.out()).isEqualTo(unknown.out());
            assertThat(on.err()).isEmpty();
        }
        for (String gate : new String[]{"AllAlpha=false", "AllAlpha=true,MachinePoolTaintPropagation=false"}) {
            Result off = plan(fleet, "", "--feature-gates", gate);
            assertThat(off.out()).isEqualTo("0 of 1 Node change\n");
            assertThat(off.err()).isEqualTo("warning: Nodes of MachinePools are not planned: the controller's gate"
                    + " MachinePoolTaintPropagation is off\n");
        }
    }

    @Test
    void an_edit_that_ends_a_pause_is_no_green_plan() throws IOException {
        String pause = ", annotations: {cluster.x-k8s.io/paused: ''}}";
        String pool = NODE + POOL.formatted("").replace("name: pool}", "name: pool" + pause);
        assertThat(plan(pool, POOL.formatted(TAINTS), "--feature-gates", "AllAlpha=true").out())
                .contains("n1    +  new:NoSchedule");
        String machine = workers("fleet", "").substring(workers("fleet", "").lastIndexOf("---"));
        String paused = NODE + workers("fleet", "").replace("name: m1,", "name: m1" + pause.replace("}}", "},"));
        assertThat(plan(paused, machine.replace("\"cloud://1\", ", "\"cloud://1\", " + TAINTS)).out())
                .contains("n1    +  new:NoSchedule");
    }

    @Test
    void machines_of_a_pool_get_its_taints_with_the_gate_alone() throws IOException {
        String fleet = NODE + workers("fleet", "").replace("{kind: MachineSet, name: s1}",
                "{kind: MachinePool, name: pool}")
                + POOL.formatted("").replace("providerIDList: [\"cloud://1\"], ", "");
        String edit = POOL.formatted(TAINTS).replace("providerIDList: [\"cloud://1\"], ", "");
        Result off = plan(fleet, edit, "--feature-gates", "AllAlpha=false");
        assertThat(off.out()).isEqualTo("0 of 1 Node change\n");
        assertThat(off.err()).contains("MachinePool fleet/pool: its Machines get no taints");
        Result unknown = plan(fleet, edit);
        assertThat(unknown.out()).contains("n1    +  new:NoSchedule");
        assertThat(unknown.err()).contains("change only with the controller's gate MachinePoolTaintPropagation on");
        assertThat(plan(fleet, edit, "--feature-gates", "AllAlpha=true").err()).isEmpty();
        String paused = fleet + cluster("fleet", ", annotations: {cluster.x-k8s.io/paused: ''}", "");
        assertThat(plan(paused, edit, "--feature-gates", "AllAlpha=true").err())
                .isEqualTo("warning: Cluster fleet/prod is paused: what is planned comes once it is not\n");
    }

    @Test
    void other_commands_mean_the_named_cluster_as_well() throws IOException {
        String fleet = NODE + workers("fleet", TAINTS) + cluster("fleet", "", "")
                + workers("other", "").replace("cloud://1", "cloud://2") + cluster("other", "", "");
        assertThat(Typed.run(fleet, "explain", "node/n1", "-f", "-", "--cluster", "fleet/prod").exit()).isZero();
        assertThat(Typed.run(fleet, "tree", "cluster/prod", "-n", "fleet", "-f", "-").out())
                .contains("MachineDeployment workers");
        assertThat(Typed.run(fleet, "tree", "cluster/prod", "-f", "-").err())
                .contains("there are several Clusters prod: name a namespace (-n)");
    }

    @Test
    void the_gate_of_pools_is_not_mentioned_where_it_makes_no_difference() throws IOException {
        for (String gate : new String[]{"MachinePoolTaintPropagation=false", "AutoscalerAdapter=true",
                "MachineTaintPropagation=false"}) {
            assertThat(plan(NODE + POOL.formatted(""), "", "--feature-gates", gate).err()).isEmpty();
        }
        assertThat(plan(NODE + POOL.formatted(TAINTS), "", "--feature-gates", "MachineTaintPropagation=false").err())
                .isEmpty();
    }

    @Test
    void what_cannot_be_planned_names_what_to_edit_instead() throws IOException {
        String fleet = Typed.fleet();
        String workers = "spec.template.spec.taints of MachineDeployments and MachinePools (MachineDeployment"
                + " fleet/prod-gpu), spec.taints of the control plane's Machines (Machine fleet/prod-cp-1)";
        assertThat(refusal(fleet, "cluster.x-k8s.io/v1beta2", "Cluster", "prod"))
                .contains(
                        "Cluster fleet/prod: has no topology of which taints are planned; edit what Cluster API makes of it: "
                                + workers);
        assertThat(refusal(fleet, "cluster.x-k8s.io/v1beta2", "ClusterClass", "standard"))
                .contains("ClusterClass fleet/standard: edits of this kind are not planned; ", workers);
        assertThat(refusal(fleet, "controlplane.cluster.x-k8s.io/v1beta2", "KubeadmControlPlane", "prod-cp"))
                .contains("edit spec.taints of the Machines that it makes (Machine fleet/prod-cp-1)");
        assertThat(refusal(fleet, "nodeward.io/v1alpha1", "DeviceTaintRule", "x"))
                .contains("status.preview of a DeviceTaintRule with the effect None says what it does");
    }

    private String refusal(String fleet, String version, String kind, String name) throws IOException {
        Result result = plan(fleet, "{apiVersion: %s, kind: %s, metadata: {namespace: fleet, name: %s}}"
                .formatted(version, kind, name));
        assertThat(result.exit()).isEqualTo(1);
        return result.err();
    }
}
