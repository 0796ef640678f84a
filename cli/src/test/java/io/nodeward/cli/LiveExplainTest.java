package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** explain and tree of live clusters. */
class LiveExplainTest extends LiveFixture {
    @Test
    void the_only_cluster_leads_to_its_nodes() {
        Result result = management.run("explain", "node/n1");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith("""
                Node n1, of Machine fleet/m1

                gpu=a100:NoSchedule
                  from     Cluster fleet/prod, most likely: declared in its list of taints, by
                """).contains("which tracks it", "KubeadmConfig fleet/m1, most likely: nodeRegistration.taints has it");
    }

    @Test
    void pods_and_nodes_are_of_the_workload_cluster() {
        assertThat(management.run("explain", "pod/waits", "-n", "shop", "-o", "name").out())
                .isEqualTo("node/n2\nnode/n3\n");
        assertThat(management.run("explain", "pod/web", "-n", "shop", "--on", "node/n2").out())
                .contains("Pod shop/web is on Node n1", "after 60s", "n2    NodeUnschedulable");
    }

    @Test
    void a_server_without_dedicated_nodes_is_asked_for_none() {
        Result result = management.run("explain", "pod/web", "-n", "shop");
        assertThat(result.err()).isEmpty();
        assertThat(workload.requests()).filteredOn(request -> request.path().contains("nodeward.io"))
                .extracting(request -> request.path()).containsExactly("/apis/nodeward.io");
        assertThat(workload.requests()).extracting(request -> request.path())
                .noneMatch(path -> path.startsWith("/api/v1/namespaces/shop") && !path.contains("/pods"));
    }

    @Test
    void a_tree_is_the_same_as_from_files() throws IOException {
        String offline = Typed.run(Typed.fleet(), "tree", "-f", "-", "cluster/prod", "-o", "wide").out();
        Result result = management.run("tree", "cluster/prod", "-n", "fleet", "-o", "wide");
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).contains("Node cp1", "missing: Replaced");
        assertThat(result.out().lines().filter(line -> !line.contains("mine:")))
                .containsExactlyElementsOf(offline.lines().filter(line -> !line.contains("mine:")).toList());
    }

    @Test
    void of_several_clusters_the_one_that_has_the_node_is_meant_or_the_one_that_is_named() throws IOException {
        cluster("other");
        assertThat(management.run("explain", "node/n1").out()).startsWith("Node n1, of Machine fleet/m1");
        Result pod = management.run("explain", "pod/web", "-n", "shop");
        assertThat(pod.exit()).isEqualTo(1);
        assertThat(pod.err()).contains("there are several Clusters: fleet/other, fleet/prod", "--cluster");
        for (String named : List.of("prod", "fleet/prod")) {
            assertThat(management.run("explain", "pod/web", "-n", "shop", "--cluster", named).exit()).isZero();
        }
        assertThat(management.run("explain", "node/n1", "--cluster", "none").err())
                .contains("there is no Cluster none", "management cluster");
        assertThat(management.run("explain", "node/n1", "--cluster", "other").err())
                .contains("there is no Secret fleet/other-kubeconfig", "--workload-kubeconfig");
    }

    @Test
    void a_mistyped_cluster_or_namespace_is_not_found_in_the_words_of_kubectl() {
        assertThat(management.run("tree", "cluster/prdo", "-n", "fleet").err()).isEqualTo("""
                Error from server (NotFound): clusters.cluster.x-k8s.io "prdo" not found
                It was looked for in namespace fleet; -n names another.
                """);
        assertThat(management.run("explain", "node/n1", "--cluster", "flet/prod").err())
                .startsWith("Error from server (NotFound): clusters.cluster.x-k8s.io \"prod\" not found");
    }

    @Test
    void who_may_look_into_one_namespace_alone_is_served_from_it() {
        management.server.fault(request -> request.path().equals("/apis/cluster.x-k8s.io/v1beta2/clusters"),
                Fault.status(403, "Forbidden", "not you"));
        assertThat(management.run("explain", "node/n1", "-n", "fleet").out())
                .startsWith("Node n1, of Machine fleet/m1");
        assertThat(management.run("explain", "node/n1", "--cluster", "fleet/prod").exit()).isZero();
    }

    @Test
    void a_namespace_without_clusters_is_no_cluster_api_less_server() {
        namespace(management.server, "shop");
        management.server.fault(1_000, request -> request.path().equals("/apis/cluster.x-k8s.io/v1beta2/clusters"),
                Fault.status(403, "Forbidden", "not you"));
        Result result = management.run("explain", "pod/web", "-n", "shop");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("there is none in shop", "--cluster NAMESPACE/NAME");
    }

    @Test
    void a_cluster_that_is_not_there_is_no_empty_one() throws IOException {
        String file = Files.writeString(folder.resolve("workload"), workload.kubeconfig()).toString();
        Result result = management.run("plan", "--cluster", "fleet/prdo", "--workload-kubeconfig", file);
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("there is no Cluster fleet/prdo");
    }

    @Test
    void a_kubeconfig_of_ones_own_leads_there_too() throws IOException {
        cluster("other");
        Path file = Files.writeString(folder.resolve("workload"), workload.kubeconfig());
        Result result = management.run("explain", "node/n1", "--cluster", "fleet/prod", "--workload-kubeconfig",
                file.toString());
        assertThat(result.out()).startsWith("Node n1, of Machine fleet/m1");
        assertThat(management.run("explain", "node/n1", "--workload-kubeconfig", "missing").err())
                .contains("there is no kubeconfig missing");
    }

    @Test
    void a_secret_that_would_run_a_program_here_is_not_used() throws IOException {
        cluster("evil");
        kubeconfig("evil", """
                clusters: [{name: c, cluster: {server: "https://10.0.0.1"}}]
                users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: touch}}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """);
        Result result = management.run("explain", "node/n1", "--cluster", "evil");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("Secret fleet/evil-kubeconfig cannot be used: ", "exec",
                "--workload-kubeconfig");
    }

    @Test
    void without_a_cluster_a_node_is_explained_by_itself(@TempDir Path other) throws IOException {
        try (Cluster plain = new Cluster(other)) {
            plain.node("n1", "{}", "[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoExecute\"}]");
            Result result = plain.run("explain", "node/n1");
            assertThat(result.err()).contains("warning: no Machine or MachinePool is known");
            assertThat(result.out()).contains("node lifecycle controller");
        }
    }

    @ParameterizedTest
    @CsvSource({"machinesets, list machinesets.cluster.x-k8s.io", "machinepools, list machinepools.cluster.x-k8s.io",
            "machinedeployments, list machinedeployments.cluster.x-k8s.io",
            "kubeadmconfigs, list kubeadmconfigs.bootstrap.cluster.x-k8s.io",
            "kubeadmcontrolplanes, get KubeadmControlPlane prod-cp", "clusterclasses, get ClusterClass standard"})
    void what_only_tells_more_is_missed_with_a_warning(String plural, String right) {
        management.server.fault(1_000, request -> request.path().contains("/" + plural),
                Fault.status(403, "Forbidden", "not you"));
        for (String command : List.of("explain node/n1", "explain pod/web -n shop --on n1",
                "tree cluster/prod -n fleet")) {
            Result result = management.run(command.split(" "));
            assertThat(result.exit()).as(result.err()).isZero();
            assertThat(result.err()).contains("warning: not allowed to " + right + " in namespace fleet: ");
            assertThat(result.out()).contains("n1");
        }
    }

    @Test
    void a_class_that_is_named_and_not_there_is_missed_with_a_warning() {
        management.server.delete("clusterclasses", "fleet", "standard");
        Result result = management.run("explain", "node/n1", "-o", "json");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("ClusterClass fleet/standard is not found: what it declares is not known");
    }

    @Test
    void credentials_of_the_secret_that_are_not_accepted_are_told_as_its() throws IOException {
        try (FakeApiServer strict = FakeApiServer.start(Options.defaults().withToken("good"))) {
            cluster("strict");
            kubeconfig("strict", strict.kubeconfigWithToken("bad"));
            assertThat(management.run("explain", "node/n1", "--cluster", "fleet/strict").err()).isEqualTo("""
                    error: You must be logged in to the server (Unauthorized)
                    The credentials of Secret fleet/strict-kubeconfig are not accepted (any more): they may have been \
                    renewed. Name a kubeconfig of the workload cluster with --workload-kubeconfig.
                    """);
        }
    }

    @Test
    void what_is_not_there_is_said() {
        assertThat(management.run("explain", "node/n9").err()).contains(
                "there is no Node n9 in the workload cluster of Cluster fleet/prod; --cluster names another");
        Result pod = management.run("explain", "pod/web");
        assertThat(pod.err()).contains("there is no pod default/web", "is it in another namespace (-n)?");
        assertThat(pod.exit()).isEqualTo(1);
    }
}
