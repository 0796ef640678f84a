package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Machine;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A plan is for the Machine or MachinePool for which the controllers write, and for no other. */
class PlanOwnersTest {
    private static final String GATE = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String NONE = "0 of 1 Node change\n";

    @TempDir
    Path directory;

    private static String node(String name, String providerId) {
        return """
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, uid: uid-%1$s, annotations: {cluster.x-k8s.io/taints-from-machine: ""}}
                spec: {providerID: "%2$s"}
                """.formatted(name, providerId);
    }

    /** Declares a taint with its own name. */
    private static String machine(String name, String providerId, String node) {
        return """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: %1$s}
                spec:
                  clusterName: prod
                  providerID: "%2$s"
                  taints: [{key: %1$s, effect: NoSchedule, propagation: Always}]
                status: {nodeRef: {name: "%3$s"}}
                """.formatted(name, providerId, node);
    }

    /** Likewise. */
    private static String pool(String name, String providerIds, String nodeRefs) {
        return """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: MachinePool
                metadata: {namespace: fleet, name: %1$s}
                spec:
                  clusterName: prod
                  providerIDList: [%2$s]
                  template: {spec: {taints: [{key: %1$s, effect: NoSchedule, propagation: Always}]}}
                status: {nodeRefs: [%3$s]}
                """.formatted(name, providerIds, nodeRefs);
    }

    private Result plan(String... objects) throws IOException {
        return new Planning(directory).plan(String.join("", objects), "", GATE);
    }

    private static Result explain(String... objects) {
        return Typed.run(String.join("", objects), "explain", "node/n1", "-f", "-", GATE);
    }

    @Test
    void a_reference_of_a_pool_with_another_uid_is_to_a_node_that_is_gone() throws IOException {
        String n1 = node("n1", "");
        String gone = pool("p", "", "{name: n1, uid: before}");
        assertThat(plan(n1, gone).out()).isEqualTo(NONE);
        assertThat(plan(n1, gone).err()).isEmpty();
        assertThat(explain(n1, gone).err())
                .contains("warning: no Machine or MachinePool is known whose Node this is");
        for (String uid : List.of("", ", uid: uid-n1")) {
            assertThat(plan(n1, pool("p", "", "{name: n1" + uid + "}")).out()).contains("n1    +  p:NoSchedule");
        }
        assertThat(plan(n1, gone, pool("q", "", "{name: n1}")).out()).as("that of one pool alone")
                .contains("n1    +  q:NoSchedule");
    }

    @Test
    void a_machine_without_provider_id_has_no_node_that_another_machine_names() throws IOException {
        String objects = node("n1", "cloud://1") + machine("m", "", "n1") + machine("stale", "cloud://9", "n1");
        assertThat(plan(objects).out()).isEqualTo(NONE);
        assertThat(plan(objects).err()).contains(
                "warning: Node n1 is not planned: it is claimed by Machines fleet/m, fleet/stale\n");
        assertThat(explain(objects).err()).contains("warning: Node n1 is claimed by fleet/m, fleet/stale:");
    }

    @Test
    void a_node_is_that_of_the_machine_with_its_provider_id_whoever_else_names_it() throws IOException {
        String objects = node("n1", "cloud://1") + machine("named", "", "n1") + machine("m", "cloud://1", "");
        assertThat(plan(objects).out()).contains("n1    +  m:NoSchedule");
        assertThat(plan(objects).err()).isEqualTo("warning: Machine fleet/named: Node n1 is also the Node of m; this"
                + " Machine has no providerID and is not propagated\n");
        assertThat(explain(objects).out()).startsWith("Node n1, of Machine fleet/m\n");
    }

    @Test
    void a_name_is_one_nodes_even_if_its_provider_id_is_not() throws IOException {
        String objects = node("n1", "cloud://1") + node("n2", "cloud://1") + machine("m", "", "n1");
        assertThat(plan(objects).out()).contains("n1    +  m:NoSchedule").doesNotContain("n2");
        assertThat(plan(objects).err()).isEmpty();
    }

    @Test
    void a_node_that_a_machine_of_another_node_names_is_not_that_of_a_pool() throws IOException {
        String objects = node("n1", "cloud://1") + machine("m", "cloud://9", "n1") + pool("p", "\"cloud://1\"", "");
        assertThat(plan(objects).out()).isEqualTo(NONE);
        assertThat(plan(objects).err()).contains("warning: Node n1 is not planned: Machines that name it have another"
                + " providerID: fleet/m\n", "warning: Machine fleet/m: no Node has providerID cloud://9\n");
        assertThat(explain(objects).err()).contains("warning: Node n1 is named by fleet/m, with another providerID:");
    }

    @Test
    void a_node_of_two_pools_is_nobodys_even_if_one_of_them_has_machines() throws IOException {
        String made = machine("made", "cloud://9", "").replace("name: made",
                "name: made, ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: MachinePool, name: q,"
                        + " controller: true}]");
        String objects =
                node("n1", "cloud://1") + pool("p", "\"cloud://1\"", "") + pool("q", "\"cloud://1\"", "") + made;
        assertThat(plan(objects).out()).isEqualTo(NONE);
        assertThat(plan(objects).err())
                .isEqualTo("warning: Node n1 is not planned: it is claimed by MachinePools fleet/p, fleet/q\n");
        assertThat(plan(node("n1", "cloud://1"), pool("q", "\"cloud://1\"", ""), made).err())
                .as("one that leaves it to its Machines").isEmpty();
    }

    @Test
    void nodes_of_a_cluster_that_is_not_there_while_others_are_are_not_planned() throws IOException {
        String other = """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {namespace: other, name: prod}
                """;
        String node = node("n1", "cloud://1");
        for (String owner : List.of(machine("m", "cloud://1", ""), pool("m", "\"cloud://1\"", ""))) {
            assertThat(plan(node, owner).out()).as("files may leave Clusters out").contains("n1    +  m:NoSchedule");
            assertThat(plan(node, owner, other.replace("namespace: other", "namespace: fleet")).out())
                    .contains("n1    +  m:NoSchedule");
            Result result = plan(node, owner, other);
            assertThat(result.out()).isEqualTo(NONE);
            assertThat(result.err())
                    .isEqualTo("warning: Node n1 is not planned: Cluster fleet/prod does not exist or is"
                            + " not watched\n");
        }
    }

    @Test
    void what_is_paused_is_not_planned() throws IOException {
        String node = node("n1", "cloud://1");
        String cluster = """
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {namespace: fleet, name: prod}
                spec: {paused: true}
                """;
        for (String owner : List.of(machine("m", "cloud://1", ""), pool("m", "\"cloud://1\"", ""))) {
            String annotated = owner.replace("name: m}", "name: m, annotations: {cluster.x-k8s.io/paused: ''}}");
            assertThat(plan(node, annotated).err())
                    .isEqualTo("warning: Node n1 is not planned: fleet/m is paused\n");
            assertThat(plan(node, owner, cluster).err())
                    .isEqualTo("warning: Cluster fleet/prod is paused: its Nodes are not planned\n");
            assertThat(plan(node, owner, cluster.replace("true", "false")).out()).contains("n1    +  m:NoSchedule");
        }
    }

    @Test
    void machines_with_one_provider_id_and_nodes_with_one_provider_id_are_left_alone() throws IOException {
        String two = node("n1", "cloud://1") + machine("a", "cloud://1", "n1") + machine("b", "cloud://1", "");
        assertThat(plan(two).err())
                .isEqualTo("warning: Node n1 is not planned: it is claimed by Machines fleet/a, fleet/b\n");
        String twins = node("n1", "cloud://1") + node("n2", "cloud://1") + machine("m", "cloud://1", "n1");
        assertThat(plan(twins).err()).isEqualTo("""
                warning: Node n1 is not planned: it is claimed by Machines fleet/m, as other Nodes of its providerID are
                warning: Node n2 is not planned: it is claimed by Machines fleet/m, as other Nodes of its providerID are
                """);
    }

    @Test
    void a_machine_that_is_not_known_whole_is_told_with_the_reason() throws IOException {
        String whole = machine("m1", "id-1", "n1");
        String longer = whole.replace("name: m1}", "name: m1, annotations: {a: %s}}"
                .formatted("x".repeat(Machine.MOST_CHARACTERS + 1)));
        assertThat(plan(node("n1", "id-1"), whole).out()).contains("n1    +  m1:NoSchedule");
        Result plan = plan(node("n1", "id-1"), longer);
        assertThat(plan.out()).isEqualTo(NONE);
        assertThat(plan.err()).contains("warning: Node n1 is not planned: it is claimed by Machines fleet/m1\n",
                "warning: Machine fleet/m1: ", "labels and annotations of this Machine have more than");
    }
}
