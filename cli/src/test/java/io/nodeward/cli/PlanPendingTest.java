package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A fleet that is not as it is declared: what the controller does anyway is not the edit's doing. */
class PlanPendingTest {
    private static final String OWNER = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineDeployment
            metadata: {namespace: fleet, name: workers}
            spec:
              clusterName: prod
              template:
                metadata: {labels: {cluster.x-k8s.io/deployment-name: workers}}
                spec: {clusterName: prod, taints: [%s]}
            ---
            """;
    private static final String GPU = "{key: gpu, effect: NoExecute, propagation: Always}";
    private static final String MORE = "{key: more, effect: NoExecute, propagation: Always}";
    /** Node n1 lacks what its Machine declares, and n2 has it. */
    private static final String FLEET = OWNER.formatted(GPU) + machine(1) + machine(2) + """
            {apiVersion: v1, kind: Node, metadata: {name: n1}}
            ---
            apiVersion: v1
            kind: Node
            metadata: {name: n2, annotations: {cluster.x-k8s.io/taints-from-machine: "gpu:NoExecute"}}
            spec: {taints: [{key: gpu, effect: NoExecute}]}
            ---
            {apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: a}, spec: {nodeName: n1}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {namespace: shop, name: b}
            spec: {nodeName: n2, tolerations: [{key: gpu, operator: Exists}]}
            """;

    @TempDir
    Path directory;

    private static String machine(int number) {
        return """
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: fleet, name: m%1$d, labels: {cluster.x-k8s.io/deployment-name: workers}}
                spec: {clusterName: prod, taints: [%2$s]}
                status: {nodeRef: {name: n%1$d}}
                ---
                """.formatted(number, GPU);
    }

    @BeforeEach
    void writeFleet() throws IOException {
        Files.writeString(directory.resolve("fleet.yaml"), FLEET);
    }

    private Cluster.Result plan(List<String> options, String... taints) {
        return Typed.run(OWNER.formatted(String.join(", ", taints)).replace(", taints: []", ""), Stream.concat(
                Stream.of("plan", "-f", directory.resolve("fleet.yaml").toString(), "--edit", "-"), options.stream())
                .toArray(String[]::new));
    }

    @Test
    void an_edit_that_changes_nothing_is_not_blamed_for_what_is_pending() {
        Cluster.Result plan = plan(List.of("--fail-on", "changes"), GPU);
        assertThat(plan.out()).isEqualTo("""
                0 of 2 Nodes change

                Already pending, without this edit: 1 of 2 Nodes changes
                NODE     TAINT
                n1    +  gpu:NoExecute

                Already pending, without this edit: 1 pod is evicted, budgets or not
                NODE  POD     DELETED  BECAUSE OF     BUDGET
                n1    shop/a  at once  gpu:NoExecute
                """);
        assertThat(plan.exit()).isZero();
        assertThat(plan(List.of("--fail-on", "evictions"), GPU).exit()).isZero();
        for (String what : List.of("changes", "evictions")) {
            assertThat(plan(List.of("--fail-on", what, "--include-pending"), GPU).exit()).as(what).isEqualTo(3);
        }
    }

    @Test
    void what_the_edit_does_is_told_apart_from_what_is_pending_on_the_same_node() throws IOException {
        JsonNode json = new ObjectMapper().readTree(plan(List.of("-o", "json"), GPU, MORE).out());
        assertThat(json.at("/changes").findValuesAsText("node")).containsExactly("n1", "n2");
        assertThat(json.at("/changes/0/added").toString()).isEqualTo("[\"more:NoExecute\"]");
        assertThat(json.path("evictedPods").asInt()).as("b alone: the pending taint evicts a anyway").isEqualTo(1);
        assertThat(json.at("/alreadyPending/changes").findValuesAsText("node")).containsExactly("n1");
        assertThat(json.at("/alreadyPending/evictedPods").asInt()).isEqualTo(1);
    }

    @Test
    void an_edit_that_takes_back_what_is_pending_spares_pods() throws IOException {
        JsonNode json = new ObjectMapper().readTree(plan(List.of("-o", "json")).out());
        assertThat(json.at("/changes/0/removed").toString()).isEqualTo("[\"gpu:NoExecute\"]");
        assertThat(json.path("noLongerEvictedPods").asInt()).isEqualTo(1);
    }

    @Test
    void in_a_fleet_without_pods_the_edit_is_not_blamed_for_evictions_that_are_pending() throws IOException {
        Files.writeString(directory.resolve("fleet.yaml"),
                FLEET.substring(0, FLEET.indexOf("{apiVersion: v1, kind: Pod")));
        Cluster.Result plan = plan(List.of("--fail-on", "evictions", "-o", "json"), GPU);
        assertThat(plan.exit()).isZero();
        JsonNode json = new ObjectMapper().readTree(plan.out());
        assertThat(json.path("evictionsKnown").asBoolean()).isTrue();
        assertThat(json.at("/alreadyPending/evictionsKnown").asBoolean(true)).isFalse();
        assertThat(plan(List.of("--fail-on", "evictions", "--include-pending"), GPU).exit()).isEqualTo(3);
        assertThat(plan(List.of("--fail-on", "evictions"), GPU, MORE).exit()).isEqualTo(3);
    }

    @Test
    void without_an_edit_what_is_pending_is_the_plan() {
        Cluster.Result plan =
                Typed.run("", "plan", "-f", directory.resolve("fleet.yaml").toString(), "--fail-on", "changes");
        assertThat(plan.out()).startsWith("1 of 2 Nodes changes\n").doesNotContain("pending");
        assertThat(plan.exit()).isEqualTo(3);
    }
}
