package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import org.junit.jupiter.api.Test;

/** What groups of dedicated Nodes are to a pod. */
class ExplainDedicatedTest {
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata:
              name: foo
              labels:
                node-restriction.kubernetes.io/dedicated: banana
                nodeward.node-restriction.kubernetes.io/dedicated-nodes-digest: %s
              annotations:
                nodeward.io/taints-from-dedicated-nodes: dedicated:NoSchedule
                nodeward.io/labels-from-dedicated-nodes: node-restriction.kubernetes.io/dedicated
            spec: {taints: [{key: dedicated, value: banana, effect: NoSchedule}]}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: bar}}
            ---
            {apiVersion: v1, kind: Namespace, metadata: {name: cherry, labels: {team: fruit}}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: cherry}
            spec: {containers: [{name: c, image: i}], resourceClaims: [{name: r, resourceClaimName: c}]}
            ---
            apiVersion: nodeward.io/v1alpha1
            kind: DedicatedNodes
            metadata: {name: banana}
            spec:
              nodes: {names: [foo]}
              who: {namespaces: [banana]}
              taint: {key: dedicated, value: banana, effects: [NoSchedule]}
              enforcement: Enforce
            status:
              applied:
                nodes: {names: [foo]}
                who: {namespaces: [banana]}
                taint: {key: dedicated, value: banana, effects: [NoSchedule]}
                enforcement: Enforce
            ---
            apiVersion: nodeward.io/v1alpha1
            kind: DedicatedNodes
            metadata: {name: fruit}
            spec:
              nodes: {names: [none]}
              who: {namespaceSelector: {matchLabels: {team: fruit}}}
              taint: {key: dedicated, value: fruit, effects: [NoSchedule]}
              enforcement: Enforce
            ---
            apiVersion: nodeward.io/v1alpha1
            kind: DedicatedNodes
            metadata: {name: gpu}
            spec:
              nodes: {names: [none]}
              who: {deviceClasses: [gpu.example.com]}
              taint: {key: dedicated, value: gpu, effects: [NoSchedule]}
            ---
            apiVersion: nodeward.io/v1alpha1
            kind: DedicatedNodes
            metadata: {name: of-no-interest}
            spec:
              nodes: {names: [none]}
              who: {namespaces: [other]}
              taint: {key: dedicated, value: other, effects: [NoSchedule]}
              enforcement: Enforce
            """.formatted("d60126d547a891c1181da74062371927cba5463f");
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
                "\"dedicatedNodes\" : [ { \"name\" : \"banana\", \"enforcement\" : \"Enforce\", \"waits\" : false,"
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
                .contains("\"source\" : \"DedicatedNodes\"", "nodeward.io/taints-from-dedicated-nodes lists it");
        assertThat(explain(CLUSTER, "node/foo").out()).contains("  from    DedicatedNodes: the annotation ");
        assertThat(explain(CLUSTER.replace("d60126", "d60127"), "node/foo", "-o", "json").out())
                .doesNotContain("\"DedicatedNodes\"");
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
