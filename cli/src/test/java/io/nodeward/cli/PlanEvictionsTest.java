package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an edit means to pods that tolerate a taint for a while already. */
class PlanEvictionsTest {
    private static final String SLOW = "{key: slow, effect: NoExecute}";
    private static final String FAST = "{key: fast, effect: NoExecute}";

    @TempDir
    Path directory;

    private static String node(String... taints) {
        return "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [" + String.join(", ", taints)
                + "]}}\n";
    }

    private static String fleet(String... taints) {
        return node(taints) + """
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: shop, name: web}
                spec:
                  nodeName: n1
                  tolerations:
                  - {key: slow, operator: Exists, tolerationSeconds: 60}
                  - {key: fast, operator: Exists, tolerationSeconds: 5}
                """;
    }

    private Result plan(String fleet, String edit, String... more) throws IOException {
        return new Planning(directory).plan(fleet, edit, more);
    }

    private JsonNode pod(String fleet, String edit) throws IOException {
        return new ObjectMapper().readTree(plan(fleet, edit, "-o", "json").out()).at("/changes/0/pods/0");
    }

    @Test
    void less_time_counts_as_an_eviction_and_is_told_with_what_a_running_timer_does() throws IOException {
        Result result = plan(fleet(SLOW), node(SLOW, FAST), "--fail-on", "evictions");
        assertThat(result.out()).isEqualTo("""
                1 of 1 Node changes
                NODE     TAINT
                n1    +  fast:NoExecute

                1 pod is evicted, budgets or not
                NODE  POD       DELETED                              BECAUSE OF      BUDGET
                n1    shop/web  as timed: after 60s; anew: after 5s  fast:NoExecute
                As timed: the taint eviction controller does not move a timer that runs. The new
                time counts if that controller starts anew meanwhile.
                """);
        assertThat(result.exit()).isEqualTo(3);

        JsonNode pod = pod(fleet(SLOW), node(SLOW, FAST));
        assertThat(pod.path("outcome").asText()).isEqualTo("shortened");
        assertThat(pod.path("evicted").asBoolean()).isTrue();
        assertThat(pod.path("beforeSeconds").asInt()).isEqualTo(60);
        assertThat(pod.path("afterSeconds").asInt()).isEqualTo(5);
    }

    @Test
    void more_time_is_no_promise_to_a_pod_whose_timer_runs() throws IOException {
        Result result = plan(fleet(SLOW, FAST), node(SLOW), "--fail-on", "evictions");
        assertThat(result.out()).contains("No further pod is evicted\n", "as timed: after 5s, not after 60s",
                "does not move a timer that runs");
        assertThat(result.exit()).isZero();
        assertThat(pod(fleet(SLOW, FAST), node(SLOW)).path("outcome").asText()).isEqualTo("lengthened");
    }

    @Test
    void a_pod_that_had_time_goes_at_once() throws IOException {
        String edit = node(SLOW, "{key: other, effect: NoExecute}");
        Result result = plan(fleet(SLOW), edit, "--fail-on", "evictions");
        assertThat(result.out()).contains("1 pod is evicted, budgets or not", "at once, not after 60s")
                .doesNotContain("As timed");
        assertThat(result.exit()).isEqualTo(3);
        assertThat(pod(fleet(SLOW), edit).path("outcome").asText()).isEqualTo("atOnce");
    }

    @Test
    void a_pod_that_is_no_longer_evicted_is_told_as_good_news() throws IOException {
        Result result = plan(fleet(SLOW), node(), "--fail-on", "evictions");
        assertThat(result.out()).contains("No further pod is evicted; 1 is no longer\n", "no longer, was after 60s");
        assertThat(result.exit()).isZero();
        assertThat(plan(fleet(SLOW), node(), "-o", "markdown").out()).contains(
                "### No further pod is evicted; 1 is no longer",
                "| `n1` | `shop/web` | `no longer, was after 60s` |  |  |");
        JsonNode json = new ObjectMapper().readTree(plan(fleet(SLOW), node(), "-o", "json").out());
        assertThat(json.path("noLongerEvictedPods").asInt()).isEqualTo(1);
        assertThat(json.path("evictedPods").asInt()).isZero();
        assertThat(json.at("/changes/0/pods/0/outcome").asText()).isEqualTo("noLonger");
        assertThat(json.at("/changes/0/pods/0").has("afterSeconds")).isFalse();
    }

    @Test
    void without_any_pod_nobody_can_tell_whom_a_taint_evicts() throws IOException {
        Result result = plan(node(), node(SLOW), "--fail-on", "evictions");
        assertThat(result.exit()).isEqualTo(3);
        assertThat(result.err())
                .isEqualTo("warning: there is no Pod in -: which pods NoExecute evicts is not known\n");
        JsonNode json = new ObjectMapper().readTree(plan(node(), node(SLOW), "-o", "json").out());
        assertThat(json.path("evictionsKnown").asBoolean(true)).isFalse();

        Result harmless = plan(node(SLOW), node(), "--fail-on", "evictions");
        assertThat(harmless.exit()).isZero();
        assertThat(harmless.err()).isEmpty();
    }

    @Test
    void more_nodes_than_the_controller_evicts_unconfirmed_are_told_with_the_number_to_confirm() throws IOException {
        String edit =
                """
                        {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {namespace: fleet, name: md%s},
                         spec: {clusterName: prod, template: {spec: {taints: [{key: x, effect: NoExecute, propagation: Always}]}}}}
                        """;
        assertThat(plan(workers(11), edit.formatted("")).err())
                .contains("warning: MachineDeployment fleet/md: 11 of 11 Nodes"
                        + " would newly get NoExecute, which evicts their pods; to confirm, set the annotation"
                        + " nodeward.io/confirmed-noexecute-nodes to 11; until then the controller withholds it");
        String confirming = ", annotations: {nodeward.io/confirmed-noexecute-nodes: '%d'}";
        assertThat(plan(workers(11), edit.formatted(confirming.formatted(10))).err()).contains("to confirm");
        assertThat(plan(workers(11), edit.formatted(confirming.formatted(11))).err()).doesNotContain("to confirm");
        String confirmed = workers(11).replace("name: md}", "name: md" + confirming.formatted(11) + "}");
        assertThat(plan(confirmed, edit.formatted("")).err()).doesNotContain("to confirm");
        assertThat(plan(confirmed, edit.formatted(confirming.formatted(10))).err()).contains("to confirm");
        assertThat(plan(workers(10), edit.formatted("")).err()).doesNotContain("to confirm");
        assertThat(plan(workers(11), edit.formatted("").replace("NoExecute", "NoSchedule")).err())
                .doesNotContain("to confirm");
    }

    private static String workers(int count) {
        StringBuilder objects = new StringBuilder("""
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {namespace: fleet, name: prod}}
                ---
                {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachineDeployment, metadata: {namespace: fleet, name: md},
                 spec: {clusterName: prod, template: {spec: {}}}}
                """);
        for (int i = 0; i < count; i++) {
            objects.append("""
                    ---
                    apiVersion: cluster.x-k8s.io/v1beta2
                    kind: Machine
                    metadata:
                      namespace: fleet
                      name: m%1$d
                      labels: {cluster.x-k8s.io/deployment-name: md}
                    spec: {clusterName: prod, providerID: "x://%1$d"}
                    ---
                    {apiVersion: v1, kind: Node, metadata: {name: n%1$d}, spec: {providerID: "x://%1$d"}}
                    """.formatted(i));
        }
        return objects.toString();
    }
}
