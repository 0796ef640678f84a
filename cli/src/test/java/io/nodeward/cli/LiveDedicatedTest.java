package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Groups of dedicated Nodes of live clusters. */
class LiveDedicatedTest extends LiveFixture {
    private static final String POD = "explain pod/web -n shop --on n1 -o wide";
    private static final String GROUP = """
            {"apiVersion": "nodeward.io/v1alpha1", "kind": "DedicatedNodes", "metadata": {"name": "%s"},
             "spec": {"nodes": {"names": ["n1"]}, "who": %s, "enforcement": "Audit",
                      "taint": {"key": "dedicated", "value": "fruit", "effects": ["NoSchedule"]}}}
            """;

    @Override
    Options workloadKinds(Options options) {
        return options
                .withKind(Kind.custom("nodeward.io", List.of("v1alpha1"), "dedicatednodes", "DedicatedNodes")
                        .clusterScoped())
                .withKind(Kind.custom("resource.k8s.io", List.of("v1"), "resourceclaims", "ResourceClaim"))
                .withKind(Kind.custom("apps", List.of("v1"), "daemonsets", "DaemonSet"));
    }

    private void group(String name, String who) throws IOException {
        workload.create("dedicatednodes", (ObjectNode) Cluster.JSON.readTree(GROUP.formatted(name, who)));
    }

    private Result run(String command, String... more) {
        return management.run((command + String.join("", more)).split(" "));
    }

    private List<String> paths() {
        return workload.requests().stream().map(request -> request.path()).toList();
    }

    @Test
    void a_pod_is_told_its_groups_by_what_they_ask_for() throws IOException {
        group("fruit", "{\"namespaces\": [\"shop\"]}");
        assertThat(run(POD).out()).contains("fruit           Audit        is a member");
        assertThat(paths()).contains("/apis/nodeward.io/v1alpha1/dedicatednodes")
                .doesNotContain("/api/v1/namespaces/shop", "/api/v1/namespaces");
        group("labelled", "{\"namespaceSelector\": {\"matchLabels\": {\"kubernetes.io/metadata.name\": \"shop\"}}}");
        Result labelled = run(POD);
        assertThat(labelled.err()).isEmpty();
        assertThat(labelled.out()).containsPattern("labelled +Audit +is (a|no) member");
        assertThat(paths()).contains("/api/v1/namespaces/shop").doesNotContain("/api/v1/namespaces");
    }

    @ParameterizedTest
    @CsvSource({"dedicatednodes, list dedicatednodes.nodeward.io: what DedicatedNodes do is not known",
            "namespaces/shop, get namespace shop: which pods are members of DedicatedNodes is not known"})
    void what_may_not_be_read_is_missed_with_a_warning(String path, String right) throws IOException {
        group("labelled", "{\"namespaceSelector\": {\"matchLabels\": {\"a\": \"b\"}}}");
        workload.fault(1_000, request -> request.path().endsWith("/" + path),
                Fault.status(403, "Forbidden", "not you"));
        Result result = run(POD);
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.err()).isEqualTo("warning: not allowed to " + right + "\n");
        assertThat(result.out()).contains("Pod shop/web is on Node n1", "n1 ");
    }

    @Test
    void a_plan_has_the_groups_and_all_that_makes_members() throws IOException {
        group("fruit", "{\"namespaceSelector\": {\"matchLabels\": {\"a\": \"b\"}}, \"deviceClasses\": [\"gpu\"]}");
        String edit = " --edit " + Files.writeString(folder.resolve("edit.yaml"),
                GROUP.formatted("fruit", "{\"namespaces\": [\"shop\"]}").replace("Audit", "Enforce"))
                + " --feature-gates DedicatedNodes=true --cluster fleet/prod";
        Result plan = run("plan", edit);
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.out()).contains("+  dedicated=fruit:NoSchedule");
        assertThat(paths()).contains("/api/v1/namespaces", "/apis/resource.k8s.io/v1/resourceclaims")
                .as("not served").doesNotContain("/apis/resource.k8s.io/v1/resourceclaimtemplates");

        workload.fault(1_000, request -> request.path().endsWith("/resourceclaims"),
                Fault.status(403, "Forbidden", "not you"));
        Result without = run("plan", edit);
        assertThat(without.exit()).isZero();
        assertThat(without.err()).containsOnlyOnce("warning: not allowed to list resourceclaims: which pods are"
                + " members of DedicatedNodes is not known\n");
    }

    @Test
    void a_plan_has_the_templates_of_daemonsets_and_misses_them_with_a_warning() throws IOException {
        workload.create("daemonsets", (ObjectNode) Cluster.JSON.readTree("""
                {"apiVersion": "apps/v1", "kind": "DaemonSet", "metadata": {"name": "d", "namespace": "shop"},
                 "spec": {"template": {"spec": {}}}}
                """));
        String edit = GROUP.formatted("fruit", "{\"namespaces\": [\"shop\"]}").replace("Audit", "Enforce")
                .replace("n1", "n3");
        String options = Files.writeString(folder.resolve("edit.yaml"), edit)
                + " --feature-gates DedicatedNodes=true,DedicatedPodTolerations=true --cluster fleet/prod";
        Result plan = run("plan --edit ", options);
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.err()).contains("DaemonSets do not tolerate dedicated=fruit").contains(": shop/d\n");

        workload.fault(1_000, request -> request.path().endsWith("/daemonsets"),
                Fault.status(403, "Forbidden", "not you"));
        Result without = run("plan --edit ", options);
        assertThat(without.exit()).as(without.err()).isZero();
        assertThat(without.err()).isEqualTo("warning: not allowed to list daemonsets.apps: which pods DedicatedNodes"
                + " drive off by the templates of their DaemonSets is not known\n");
        assertThat(without.out()).contains("n3    +  dedicated=fruit:NoSchedule");
    }

    @Test
    void a_plan_names_the_budgets_that_hold_up_pods_by_what_the_server_permits_now() throws IOException {
        workload.create("poddisruptionbudgets", (ObjectNode) Cluster.JSON.readTree(
                """
                        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "some", "namespace": "shop"},
                         "spec": {"selector": {}}, "status": {"disruptionsAllowed": 1}}
                        """));
        String edit = GROUP.formatted("fruit", "{\"namespaces\": [\"other\"]}").replace("Audit", "Enforce")
                .replace("\"NoSchedule\"]", "\"NoExecute\"]")
                .replace("\"taint\"", "\"eviction\": \"Respect\", \"taint\"");
        String options = Files.writeString(folder.resolve("edit.yaml"), edit)
                + " --feature-gates DedicatedNodes=true --cluster fleet/prod";
        assertThat(run("plan --edit ", options).err()).contains("until 1 pod is gone: spec.eviction is Respect")
                .doesNotContain("wait");
        workload.mergePatch("poddisruptionbudgets", "shop", "some",
                Cluster.JSON.readTree("{\"status\": {\"disruptionsAllowed\": 0}}"));
        assertThat(run("plan --edit ", options).err()).endsWith("DedicatedNodes fruit: evictions would wait for"
                + " PodDisruptionBudget shop/some, which permits 0 of 1 pod to go now\n");
    }

    @Test
    void without_a_group_a_plan_reads_no_daemonsets() {
        assertThat(run("plan --cluster fleet/prod").exit()).isZero();
        assertThat(paths()).contains("/apis/nodeward.io/v1alpha1/dedicatednodes", "/api/v1/pods")
                .doesNotContain("/apis/apps/v1/daemonsets");
    }

    @Test
    void a_plan_of_a_new_group_has_what_makes_its_members() throws IOException {
        String edit = GROUP.formatted("new", "{\"namespaceSelector\": {\"matchLabels\": {\"a\": \"b\"}},"
                + " \"deviceClasses\": [\"gpu\"]}").replace("Audit", "Enforce");
        Result plan = run("plan --edit ", Files.writeString(folder.resolve("edit.yaml"), edit)
                + " --feature-gates DedicatedNodes=true --cluster fleet/prod");
        assertThat(plan.exit()).as(plan.err()).isZero();
        assertThat(plan.err()).isEmpty();
        assertThat(paths()).contains("/api/v1/namespaces", "/apis/resource.k8s.io/v1/resourceclaims");
    }
}
