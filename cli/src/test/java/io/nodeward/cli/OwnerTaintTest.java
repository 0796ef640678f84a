package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Taints that owners of Nodes declare. */
class OwnerTaintTest {
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String OLD = """
            [{"key":"old","value":"1","effect":"NoSchedule","propagation":"Always","later":"kept"}]""";

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(folder, Options.defaults()
                .withKind(Kind.custom(GROUP, List.of("v1beta2"), "machinedeployments", "MachineDeployment"))
                .withKind(Kind.custom(GROUP, List.of("v1beta2"), "machinesets", "MachineSet")));
        create("machinedeployments", "{\"name\":\"workers\"}", template(OLD));
        create("clusters", "{\"name\":\"c\"}", """
                {"topology":{"classRef":{"name":"k"},"workers":{
                  "machineDeployments":[{"name":"a","class":"x"},{"name":"b","class":"x","taints":%s}],
                  "machinePools":[{"name":"p","class":"y"}]}}}""".formatted(OLD));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static String template(String taints) {
        return "{\"clusterName\":\"c\",\"template\":{\"spec\":{\"clusterName\":\"c\",\"taints\":" + taints + "}}}";
    }

    private void create(String plural, String metadata, String spec) throws IOException {
        create(plural, metadata, spec, "{}");
    }

    private void create(String plural, String metadata, String spec, String status) throws IOException {
        JsonNode object = Cluster.JSON.readTree("""
                {"metadata":%s,"spec":%s,"status":%s}""".formatted(metadata, spec, status));
        ((ObjectNode) object.path("metadata")).put("namespace", "default");
        if (object.path("status").isEmpty()) {
            ((ObjectNode) object).remove("status");
        }
        cluster.server.create(plural, object);
    }

    private JsonNode get(String plural, String name) {
        return cluster.server.get(plural, "default", name).orElseThrow();
    }

    private List<String> declared(String plural, String name, String place) {
        return StreamSupport.stream(get(plural, name).at(place).spliterator(), false)
                .map(taint -> Cluster.text(taint) + ":" + taint.path("propagation").asText())
                .toList();
    }

    private List<String> workers() {
        return declared("machinedeployments", "workers", "/spec/template/spec/taints");
    }

    @ParameterizedTest
    @ValueSource(strings = {"machinedeployment/workers", "md/workers", "machinedeployments workers",
            "machinedeployments.cluster.x-k8s.io/workers", "MachineDeployment/workers"})
    void it_is_found_by_all_its_names(String owner) {
        Result result = cluster.run(("taint " + owner + " example.com/a=1:NoSchedule").split(" "));

        assertThat(result).isEqualTo(new Result(0, "machinedeployment.cluster.x-k8s.io/workers tainted\n", ""));
        assertThat(workers()).containsExactly("example.com/a=1:NoSchedule:Always", "old=1:NoSchedule:Always");
        assertThat(get("machinedeployments", "workers").at("/spec/template/spec/taints/1/later").asText())
                .isEqualTo("kept");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "old- | untainted | ''", "old=2:NoSchedule --overwrite | modified | old=2:NoSchedule:Always",
            "old=1:NoSchedule --ensure | unchanged | old=1:NoSchedule:Always",
            "old=1:NoSchedule --ensure --propagation=OnInitialization | modified | old=1:NoSchedule:OnInitialization",
            "old=1:NoExecute --replace-key | modified | old=1:NoExecute:Always",
            "gone- --absent | unchanged | old=1:NoSchedule:Always"
    })
    void its_taints_come_and_go_as_those_of_a_node(String words, String word, String after) {
        Result result = cluster.run(("taint md/workers " + words).split(" "));

        assertThat(result).isEqualTo(
                new Result(0, "machinedeployment.cluster.x-k8s.io/workers " + word + "\n", ""));
        assertThat(String.join(" ", workers())).isEqualTo(after);
        assertThat(get("machinedeployments", "workers").at("/spec/template/spec").has("taints"))
                .isEqualTo(!after.isEmpty());
    }

    @Test
    void refusals_name_it() {
        Result result = cluster.run("taint", "md/workers", "old=2:NoSchedule");

        assertThat(result.err())
                .isEqualTo("error: machinedeployment/workers already has old taint(s) with same effect(s)"
                        + " and --overwrite is false\n");
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void what_others_declare_meanwhile_is_kept() throws IOException {
        AtomicInteger reads = new AtomicInteger();
        JsonNode theirs = Cluster.JSON.readTree("{\"spec\":{\"template\":{\"spec\":{\"taints\":["
                + "{\"key\":\"theirs\",\"effect\":\"NoExecute\",\"propagation\":\"Always\"}]}}}}");
        cluster.server.listen(request -> {
            if (request.method().equals("GET") && request.path().endsWith("workers") && reads.incrementAndGet() == 1) {
                cluster.server.mergePatch("machinedeployments", "default", "workers", theirs);
            }
        });

        assertThat(cluster.run("taint", "md/workers", "a:NoSchedule").exit()).isZero();
        assertThat(workers()).containsExactly("a:NoSchedule:Always", "theirs:NoExecute:Always");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "controlPlane | /spec/topology/controlPlane/taints", "machinedeployment/a | "
                    + "/spec/topology/workers/machineDeployments/0/taints",
            "machinepool/p | /spec/topology/workers/machinePools/0/taints"
    })
    void a_cluster_declares_where_it_is_told_to(String place, String path) {
        Result result = cluster.run("taint", "cluster/c", "--place", place, "a:NoSchedule");

        assertThat(result).isEqualTo(new Result(0, "cluster.cluster.x-k8s.io/c tainted\n", ""));
        assertThat(declared("clusters", "c", path)).containsExactly("a:NoSchedule:Always");
        assertThat(cluster.run("taint", "cluster/c", "--place", place, "a-").exit()).isZero();
        assertThat(get("clusters", "c").at(path).isMissingNode()).isTrue();
        assertThat(get("clusters", "c").at("/spec/topology").has("controlPlane")).isFalse();
    }

    @Test
    void all_workers_of_a_cluster_are_one_write() {
        Result result = cluster.run("taint", "cluster/c", "--place=workers", "old=1:NoSchedule", "--ensure",
                "--dry-run=server");

        assertThat(result.out()).isEqualTo("""
                cluster.cluster.x-k8s.io/c tainted
                  at a
                    + old=1:NoSchedule
                  at p
                    + old=1:NoSchedule
                2 of 3 places change, nothing is written
                """);
        cluster.run("taint", "cluster/c", "--place=workers", "old=1:NoSchedule", "--ensure");
        assertThat(cluster.server.requests()).filteredOn(
                request -> request.method().equals("PATCH") && !request.query().contains("dryRun")).hasSize(1);
        assertThat(declared("clusters", "c", "/spec/topology/workers/machinePools/0/taints")).hasSize(1);
    }

    @Test
    void a_cluster_without_a_place_is_asked_for_one() {
        assertThat(cluster.run("taint", "cluster/c", "a:NoSchedule").err()).isEqualTo(
                "error: cluster/c: --place says which part of its topology is meant: one of controlPlane, workers,"
                        + " machinedeployment/a, machinedeployment/b, machinepool/p\n");
        assertThat(cluster.run("taint", "md/workers", "a:NoSchedule", "--place", "workers").err())
                .isEqualTo("error: --place is for a Cluster: machinedeployment/workers has one place\n");
        assertThat(cluster.run("taint", "nodes", "n", "a:NoSchedule", "--place", "workers").err())
                .startsWith("error: --place and --propagation are for owners of Nodes");
    }

    @Test
    void what_is_made_from_something_else_is_not_where_it_belongs() throws IOException {
        create("machinedeployments", """
                {"name":"made","labels":{"topology.cluster.x-k8s.io/owned":"",
                  "topology.cluster.x-k8s.io/deployment-name":"a"}}""", template("[]"));
        create("machinesets", """
                {"name":"set","ownerReferences":[{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineDeployment",
                  "name":"workers","uid":"1","controller":true}]}""", template("[]"));

        assertThat(cluster.run("taint", "md/made", "a:NoSchedule").err()).isEqualTo("error: machinedeployment/made is"
                + " made from a topology: taint cluster/c with --place machinedeployment/a\n");
        assertThat(cluster.run("taint", "ms/set", "a:NoSchedule").err()).isEqualTo(
                "error: machineset/set is made from a MachineDeployment: taint machinedeployment/workers\n");
    }

    @Test
    void where_cluster_api_refuses_the_field_there_is_another_way() {
        cluster.server.fault(1, request -> request.method().equals("PATCH"), Fault.status(403, "Forbidden",
                "admission webhook \"validation.machinedeployment.cluster.x-k8s.io\" denied the request:"
                        + " spec.template.spec.taints: Forbidden: taints are not allowed to be set"));

        Result result = cluster.run("taint", "md/workers", "a:NoSchedule");

        assertThat(result.err()).startsWith("Error from server (Forbidden): ").contains("docs/guide/annotations.md")
                .doesNotContain("can-i");
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void taints_for_nodes_to_come_are_not_waited_for() {
        assertThat(cluster.run("taint", "md/workers", "a:NoSchedule", "--wait", "--propagation", "OnInitialization")
                .err()).startsWith("error: --wait waits for nothing");
        assertThat(cluster.run("taint", "md/workers", "a:NoSchedule", "--propagation", "Never").err())
                .isEqualTo("error: --propagation is Always or OnInitialization, not Never\n");
    }
}
