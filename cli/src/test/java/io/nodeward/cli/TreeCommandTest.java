package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TreeCommandTest {
    private static final String POOL = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {namespace: fleet, name: prod}
            spec: {paused: true}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachinePool
            metadata: {namespace: fleet, name: pool}
            spec:
              clusterName: prod
              providerIDList: ["cloud://p1"]
              template: {metadata: {annotations: {taint.nodeward.io/a: "a:NoSchedule"}}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: p1}, spec: {providerID: "cloud://p1"}}
            """;

    private static Result tree(String fleet, String... more) {
        List<String> arguments = new ArrayList<>(List.of("tree", "-f", "-", "cluster/prod"));
        arguments.addAll(List.of(more));
        return Typed.run(fleet, arguments.toArray(String[]::new));
    }

    @Test
    void a_cluster_is_shown_down_to_its_nodes_with_what_has_arrived() throws IOException {
        Result result = tree(Typed.fleet());
        assertThat(result.err()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(result.out()).isEqualTo("""
                Cluster fleet/prod, of ClusterClass fleet/standard
                  KubeadmControlPlane prod-cp
                    Machine prod-cp-1
                      Node cp1
                          node-role.kubernetes.io/control-       unmanaged: kubeadm, most likely
                          plane:NoSchedule
                  MachineDeployment prod-gpu
                      gpu=a100:NoSchedule                 at 1 Node
                      warming:NoExecute OnInitialization  missing at 1 of 1 Node
                      new:NoExecute                       missing at 1 of 1 Node
                      gpu=a100:NoSchedule (Cluster)       at 1 Node
                      team:NoSchedule (ClusterClass)      missing at 1 of 1 Node
                    MachineSet prod-gpu-x
                        gpu=a100:NoSchedule                 at 1 Node
                        warming:NoExecute OnInitialization  missing at 1 of 1 Node
                        new:NoExecute                       missing at 1 of 1 Node
                      Machine m1
                          gpu=a100:NoSchedule                 at 1 Node
                          warming:NoExecute OnInitialization  missing at 1 of 1 Node
                          new:NoExecute                       missing at 1 of 1 Node
                        Node n1
                            gpu=a100:NoSchedule                declared
                            old:NoSchedule                     no longer declared
                            storage:NoSchedule                 unmanaged: KubeadmConfig
                                                               fleet/m1, most likely
                            mine:NoSchedule                    unmanaged: kubectl-taint, most
                                                               likely
                            node.kubernetes.io/unreachable:    unmanaged: node lifecycle
                            NoExecute                          controller
                            warming:NoExecute                  missing: InitializationOver
                            new:NoExecute                      missing: Due
                            team:NoSchedule                    missing: Replaced (before
                                                               MachineDeployment)
                """);
    }

    @Test
    void of_many_machines_those_are_shown_where_something_is_not_as_declared() throws IOException {
        StringBuilder many = new StringBuilder(Typed.fleet());
        IntStream.range(10, 30).forEach(i -> many.append("""
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata:
                  namespace: fleet
                  name: m%1$d
                  ownerReferences:
                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineSet, name: prod-gpu-x, controller: true}
                spec: {clusterName: prod, taints: [{key: gpu, effect: NoSchedule, propagation: Always}]}
                status: {nodeRef: {name: w%1$d}}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: w%1$d, annotations: {cluster.x-k8s.io/taints-from-machine: "gpu:NoSchedule"}}
                spec: {taints: [{key: gpu, effect: NoSchedule}]}
                """.formatted(i)));
        String fleet = many.toString()
                .replace("\n      - {key: warming, effect: NoExecute, propagation: OnInitialization}"
                        + "\n      - {key: new, effect: NoExecute, propagation: Always}", "")
                .replace("class: worker\n      taints: [{key: team, effect: NoSchedule, propagation: Always}]",
                        "class: worker");
        Result result = tree(fleet);
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("      20 Machines, all Nodes as declared\n", "Machine m1\n")
                .doesNotContain("Machine m12").contains("gpu=a100:NoSchedule (Cluster)  at 21 Nodes");
        assertThat(tree(fleet, "--all").out()).contains("Machine m12").doesNotContain("as declared\n");
    }

    @Test
    void former_revisions_are_counted() throws IOException {
        String fleet = Typed.fleet() + """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachineSet
                metadata:
                  namespace: fleet
                  name: prod-gpu-old
                  ownerReferences:
                  - {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, name: prod-gpu, controller: true}
                spec: {clusterName: prod}
                """;
        assertThat(tree(fleet).out()).contains("    1 MachineSet without Machines\n").doesNotContain("prod-gpu-old");
        assertThat(tree(fleet, "--all").out()).contains("MachineSet prod-gpu-old");
    }

    @Test
    void a_pool_without_machines_has_its_nodes_below_it() throws IOException {
        String pool = POOL + """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: alone}
                spec: {clusterName: prod}
                """;
        assertThat(tree(pool).out()).isEqualTo("""
                Cluster fleet/prod, paused
                  MachinePool pool
                      a:NoSchedule  missing at 1 of 1 Node
                    Node p1
                        a:NoSchedule  missing: Paused
                  Machine alone
                    no Node yet
                """);
    }

    @Test
    void a_cluster_that_is_paused_by_annotation_stands_still_and_its_nodes_do_not() {
        String annotated = POOL.replace("name: prod}\nspec: {paused: true}",
                "name: prod, annotations: {cluster.x-k8s.io/paused: \"\"}}");
        assertThat(tree(annotated).out()).isEqualTo("""
                Cluster fleet/prod, paused
                  MachinePool pool
                      a:NoSchedule  missing at 1 of 1 Node
                    Node p1
                        a:NoSchedule  missing: PoolGate
                """);
        String gate = "--feature-gates=MachinePoolTaintPropagation=";
        assertThat(tree(annotated, gate + "true").out()).contains("missing: NotPropagated");
        String looked = annotated.replace("name: p1}",
                "name: p1, annotations: {nodeward.io/taints-from-annotations: \"\"}}");
        assertThat(tree(looked, gate + "true").out()).contains("missing: Due");
        assertThat(tree(looked, gate + "false").out()).contains("missing: PoolGate");
    }

    @Test
    void programs_read_the_same() throws IOException {
        JsonNode json = new ObjectMapper().readTree(tree(Typed.fleet(), "-o", "json").out());
        assertThat(json.path("clusterClass").asText()).isEqualTo("fleet/standard");
        JsonNode deployment = json.at("/children/1");
        assertThat(deployment.path("kind").asText()).isEqualTo("MachineDeployment");
        assertThat(deployment.at("/declared/4/by").asText()).isEqualTo("ClusterClass fleet/standard");
        assertThat(deployment.at("/declared/4/missing").asInt()).isEqualTo(1);
        assertThat(deployment.at("/children/0/children/0/nodes/0/missing/1/reason").asText()).isEqualTo("Due");
        assertThat(tree(Typed.fleet(), "-o", "name").out()).startsWith("""
                cluster.cluster.x-k8s.io/prod
                kubeadmcontrolplane.controlplane.cluster.x-k8s.io/prod-cp
                machine.cluster.x-k8s.io/prod-cp-1
                node/cp1
                """);
        assertThat(tree(Typed.fleet(), "-o", "yaml").out()).startsWith("kind: Cluster\n");
    }

    @Test
    void what_is_not_there_is_said() throws IOException {
        Result none = Typed.run(Typed.fleet(), "tree", "-f", "-", "cluster/other");
        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.err()).contains("there is no Cluster default/other; is it in another namespace (-n)");
        assertThat(Typed.run("", "tree", "-f", "-", "node/n1").exit()).isEqualTo(1);
        assertThat(Typed.run("", "tree", "cluster/x").err()).contains("no kubeconfig", "--kubeconfig");
    }
}
