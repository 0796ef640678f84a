package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import org.junit.jupiter.api.Test;

/** What groups of dedicated Nodes are to a pod. */
class ExplainDedicatedTest {
    private static final String BANANA = DedicatedYaml.named("banana", "foo");
    private static final String FRUIT = DedicatedYaml.group("fruit",
            DedicatedYaml.spec("fruit", "names: [none]", "namespaceSelector: {matchLabels: {team: fruit}}"));
    private static final String CLUSTER = DedicatedYaml.MANAGED_NODE + """
            ---
            {apiVersion: v1, kind: Node, metadata: {name: bar}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: cherry, labels: {team: fruit}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: cherry}
            spec: {containers: [{name: c, image: i}], resourceClaims: [{name: r, resourceClaimName: c}]}
            """ + DedicatedYaml.group("banana", BANANA, BANANA) + FRUIT
            + DedicatedYaml.group("gpu", DedicatedYaml.spec("gpu", "names: [none]", "deviceClasses: [gpu.example.com]")
                    .replace("Enforce", "Audit"))
            + DedicatedYaml.group("of-no-interest", DedicatedYaml.named("other", "none"));
    private static final String TOLERATING = "{containers: [{name: c, image: i}],"
            + " tolerations: [{key: dedicated, operator: Exists}],";

    @Test
    void a_pod_is_told_which_group_admits_it_and_which_keeps_it_out() {
        assertThat(explain(CLUSTER, "pod/p", "-n", "cherry").out()).isEqualTo("""
                Pod cherry/p is on no Node yet

                DEDICATEDNODES  ENFORCEMENT     THE POD          BECAUSE
                banana          Enforce         is no member     they are for pods of namespace
                                                                 banana
                fruit           Enforce, waits  is a member      it does not tolerate
                                                                 dedicated=fruit
                gpu             Audit           may be a member  its claims of devices, not
                                                                 known here, decide

                It is schedulable on 1 of 2 Nodes
                NODE  FILTERED OUT BY  BECAUSE
                bar   nothing
                foo   TaintToleration  untolerated taint: dedicated=banana:NoSchedule, from
                                       DedicatedNodes

                Not looked at: ports, resources, volumes, topology spread, affinity to pods,
                claims of devices.
                """);
    }

    @Test
    void who_tolerates_a_taint_of_others_is_told_so() {
        assertThat(explain(CLUSTER.replace("{containers: [{name: c, image: i}],", TOLERATING), "pod/p", "-n", "cherry",
                "-o", "wide").out()).contains("they are for pods of namespace banana; it tolerates dedicated=banana all"
                        + " the same");
    }

    @Test
    void programs_read_the_same() {
        assertThat(explain(CLUSTER, "pod/p", "-n", "cherry", "-o", "json").out().replaceAll("\\s+", " ")).contains(
                "\"dedicatedNodes\" : [ { \"name\" : \"banana\", \"enforcement\" : \"Enforce\", \"waits\" : false, \"conflict\" : false,"
                        + " \"pod\" : \"NoMember\", \"because\" : \"they are for pods of namespace banana\" }");
    }

    @Test
    void what_is_not_known_is_no_answer() {
        Result result = explain(CLUSTER.replace("kind: Namespace", "kind: Other"), "pod/p", "-n", "cherry", "-o",
                "wide");
        assertThat(result.out()).containsPattern(
                "fruit +Enforce, waits +may be a member +the labels of its namespace, not known here, decide");
    }

    @Test
    void a_taint_that_annotations_prove_is_of_dedicated_nodes() {
        assertThat(explain(CLUSTER, "node/foo", "-o", "json").out().replaceAll("\\s+", " "))
                .contains("\"source\" : \"DedicatedNodes\"", "\"status\" : \"DedicatedNodes\"",
                        "{ \"annotation\" : \"nodeward.io/taints-from-dedicated-nodes\", \"manager\" : \"\" }",
                        "nodeward.io/taints-from-dedicated-nodes lists it");
        assertThat(explain(CLUSTER, "node/foo").out()).contains("  from     DedicatedNodes: the annotation\n",
                "  managed  nodeward.io/taints-from-dedicated-nodes", "  status   managed by DedicatedNodes\n");
        assertThat(explain(CLUSTER.replace("d60126", "d60127"), "node/foo", "-o", "json").out())
                .doesNotContain("\"DedicatedNodes\"");
    }

    @Test
    void the_tree_of_its_cluster_says_the_same_of_such_a_taint() {
        String machine = """
                ---
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: prod, namespace: fleet}}
                ---
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {name: m, namespace: fleet}
                spec: {clusterName: prod}
                status: {nodeRef: {name: foo}}
                """;
        assertThat(Typed.run(CLUSTER + machine, "tree", "-f", "-", "cluster/prod").out())
                .containsPattern("dedicated=banana:NoSchedule +managed by DedicatedNodes\n")
                .doesNotContain("unmanaged");
    }

    @Test
    void a_group_that_contradicts_another_does_not_wait() {
        String conflict = CLUSTER.replace(FRUIT, FRUIT.replace("status: {}",
                """
                        status:
                          conditions:
                          - {type: Conflict, status: "True", reason: TaintValue, message: banana has it, observedGeneration: 2}
                          - {type: Ready, status: "False", reason: TaintValue, message: banana has it, observedGeneration: 2}"""));
        assertThat(explain(conflict, "pod/p", "-n", "cherry", "-o", "wide").out()).containsPattern(
                "fruit +Enforce, conflict +is a member +it does not tolerate dedicated=fruit; banana has it\n");
        assertThat(explain(conflict, "pod/p", "-n", "cherry", "-o", "json").out().replaceAll("\\s+", " ")).contains(
                "\"name\" : \"fruit\", \"enforcement\" : \"Enforce\", \"waits\" : false, \"conflict\" : true,");
        assertThat(explain(conflict.replace("observedGeneration: 2", "observedGeneration: 1"), "pod/p", "-n", "cherry")
                .out()).as("of an older spec").containsPattern("fruit +Enforce, waits +is a member")
                .doesNotContain("banana has it");
        assertThat(explain(conflict.replace("\"True\"", "\"False\""), "pod/p", "-n", "cherry").out())
                .containsPattern("fruit +Enforce, waits +is a member");
    }

    private static Result explain(String cluster, String... words) {
        String[] all = new String[words.length + 3];
        all[0] = "explain";
        all[1] = "-f";
        all[2] = "-";
        System.arraycopy(words, 0, all, 3, words.length);
        return Typed.run(cluster, all);
    }
}
