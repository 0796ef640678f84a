package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.cli.Cluster.Result;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TaintCommandTest {
    private static final String OLD =
            "[{\"key\":\"old\",\"value\":\"1\",\"effect\":\"NoExecute\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}]";

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(folder);
        cluster.node("n1", "{\"pool\":\"a\"}", "[]");
        cluster.node("n2", "{\"pool\":\"b\"}", OLD);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private List<Request> patches() {
        return cluster.server.requests().stream().filter(request -> request.method().equals("PATCH")).toList();
    }

    private static boolean isPatch(Request request) {
        return request.method().equals("PATCH");
    }

    @Test
    void what_others_write_between_reading_and_writing_is_kept() throws IOException {
        AtomicInteger writes = new AtomicInteger();
        JsonNode theirs = Cluster.JSON.readTree(
                "{\"spec\":{\"taints\":[{\"key\":\"theirs\",\"effect\":\"NoSchedule\"}]}}");
        cluster.server.listen(request -> {
            if (request.method().equals("GET") && request.path().endsWith("/nodes/n1")
                    && writes.incrementAndGet() == 1) {
                cluster.server.mergePatch("nodes", "", "n1", theirs);
            }
        });

        Result result = cluster.run("taint", "nodes", "n1", "a=1:NoSchedule");

        assertThat(result.out()).isEqualTo("node/n1 tainted\n");
        assertThat(cluster.taints("n1")).containsExactly("a=1:NoSchedule", "theirs:NoSchedule");
        assertThat(patches()).extracting(Request::code).containsExactly(422, 200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"old-", "old:NoExecute-", "old=2:NoExecute --overwrite", "old- --dry-run=server --ensure"})
    void a_taint_that_a_controller_would_put_back_is_neither_taken_off_nor_changed(String words) throws IOException {
        cluster.server.mergePatch("nodes", "", "n2", Cluster.JSON.readTree(
                "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/taints-from-machine\":\"old:NoExecute\"}}}"));
        Result result = cluster.run(("taint nodes n2 " + words).split(" "));
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).isEqualTo("""
                error: node/n2: old=1:NoExecute is kept by a controller, which would put back what is declared
                'nodeward explain node/n2' says which object declares it: change it there.
                """);
        assertThat(patches()).isEmpty();
        assertThat(cluster.run("taint", "nodes", "n2", "mine:NoSchedule").out()).isEqualTo("node/n2 tainted\n");
    }

    @Test
    void a_taint_that_a_node_has_because_of_a_group_would_be_put_back() throws IOException {
        cluster.server.create("nodes", new YAMLMapper().readTree(DedicatedYaml.MANAGED_NODE.replace("---\n", "")));
        assertThat(cluster.run("taint", "nodes", "foo", "dedicated-").err())
                .startsWith("error: node/foo: dedicated=banana:NoSchedule is kept by a controller");
        assertThat(patches()).isEmpty();
    }

    @Test
    void heartbeats_meanwhile_are_no_conflict() throws IOException {
        JsonNode beat = Cluster.JSON.readTree("{\"status\":{\"phase\":\"beats\"}}");
        String before = cluster.server.get("nodes", "", "n1").orElseThrow().at("/metadata/resourceVersion").asText();
        cluster.server.listen(request -> {
            if (request.method().equals("GET")) {
                cluster.server.mergePatch("nodes", "", "n1", beat);
            }
        });

        cluster.run("taint", "nodes", "n1", "a=1:NoSchedule");

        assertThat(cluster.server.resourceVersion()).isGreaterThan(Long.parseLong(before) + 2);
        assertThat(patches()).extracting(Request::code).containsExactly(200);
    }

    @Test
    void a_test_that_fails_for_no_reason_is_followed_by_one_on_the_resource_version() {
        cluster.server.fault(1, TaintCommandTest::isPatch, Fault.status(422, "Invalid",
                "the server rejected our request due to an error in our request"));

        assertThat(cluster.run("taint", "nodes", "n1", "a=1:NoSchedule").exit()).isZero();
        assertThat(patches()).extracting(Request::contentType)
                .containsExactly("application/json-patch+json", "application/merge-patch+json");
        assertThat(cluster.taints("n1")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void somebody_who_always_writes_first_is_said() {
        cluster.server.fault(5_000, TaintCommandTest::isPatch, Fault.status(409, "Conflict", "modified"));

        assertThat(cluster.run("taint", "nodes", "n1", "a=1:NoSchedule")).isEqualTo(new Result(1, "", """
                error: node/n1 was changed by others each time it was to be written, 1000 times
                'kubectl get node n1 -o yaml --show-managed-fields' says who writes to it.
                """));
    }

    @Test
    void the_writer_is_written_down_as_kubectls() {
        cluster.run("taint", "nodes", "n1", "a=1:NoSchedule");
        cluster.run("taint", "nodes", "n1", "b=1:NoSchedule", "--field-manager", "mine");

        assertThat(patches()).extracting(Request::query).containsExactly("fieldManager=kubectl-taint",
                "fieldManager=mine");
    }

    @Test
    void ensure_makes_it_so_and_writes_nothing_the_second_time() {
        String[] args = {"taint", "nodes", "n1", "n2", "a=1:NoSchedule", "old-", "--ensure"};

        assertThat(cluster.run(args).out()).isEqualTo("node/n1 tainted\nnode/n2 modified\n");
        cluster.server.clearRequests();
        assertThat(cluster.run(args)).isEqualTo(new Result(0, "node/n1 unchanged\nnode/n2 unchanged\n", ""));
        assertThat(patches()).isEmpty();
    }

    @Test
    void absent_removes_what_is_there_and_is_content_where_it_is_not() {
        Result result = cluster.run("taint", "nodes", "--all", "old-", "--absent");

        assertThat(result).isEqualTo(new Result(0, "node/n1 unchanged\nnode/n2 untainted\n", ""));
        assertThat(cluster.taints("n2")).isEmpty();
    }

    @Test
    void replace_key_takes_the_place_of_every_effect() {
        Result result = cluster.run("taint", "nodes", "n2", "old=2:NoSchedule", "--replace-key");

        assertThat(result.out()).isEqualTo("node/n2 modified\n");
        assertThat(cluster.taints("n2")).containsExactly("old=2:NoSchedule");
    }

    @Test
    void a_dry_run_on_the_server_prints_the_diff_and_writes_nothing() {
        Result result = cluster.run("taint", "nodes", "--all", "a=1:NoSchedule", "old-", "--absent",
                "--dry-run=server");

        assertThat(result).isEqualTo(new Result(0, """
                node/n1 tainted
                  + a=1:NoSchedule
                node/n2 modified
                  - old=1:NoExecute
                  + a=1:NoSchedule
                2 of 2 Nodes change, nothing is written
                """, ""));
        assertThat(patches()).hasSize(2).allMatch(request -> request.query().contains("dryRun=All"));
        assertThat(cluster.taints("n2")).containsExactly("old=1:NoExecute");
    }

    @Test
    void a_dry_run_on_the_server_fails_where_the_command_would() {
        Result result = cluster.run("taint", "nodes", "--all", "old=2:NoExecute", "--dry-run=server");

        assertThat(result.out()).contains("node/n1 tainted\n  + old=2:NoExecute\n").endsWith(
                "1 of 1 Node changes, nothing is written\n");
        assertThat(result.err()).isEqualTo(
                "error: node n2 already has old taint(s) with same effect(s) and --overwrite is false\n");
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void the_name_that_no_execute_had_is_taken_with_a_flag_and_pointed_to_without() {
        String word = "a=1:NoScheduleNoAdmitNoExecute";

        assertThat(cluster.run("taint", "nodes", "n1", word).err()).isEqualTo("""
                error: invalid taint effect: NoScheduleNoAdmitNoExecute, unsupported taint effect
                See 'nodeward taint -h' for help and examples
                With --proposed-effects, NoScheduleNoAdmitNoExecute is taken for NoExecute.
                """);
        assertThat(cluster.run("taint", "nodes", "n1", word, "--proposed-effects").exit()).isZero();
        assertThat(cluster.taints("n1")).containsExactly("a=1:NoExecute");
    }

    @ParameterizedTest
    @ValueSource(strings = {"jsonpath={.metadata.name}", "go-template", "kyaml"})
    void a_format_that_is_kubectls_alone_is_refused_before_anything_is_written(String format) {
        Result result = cluster.run("taint", "nodes", "n1", "a=1:NoSchedule", "-o", format);

        assertThat(result.err()).startsWith("error: of kubectl's output formats, json, yaml and name are supported");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(cluster.server.requests()).noneMatch(request -> request.path().contains("nodes"));
    }

    @Test
    void who_may_not_write_is_told_for_each_node_and_what_to_do_once() throws IOException {
        cluster.close();
        cluster = new Cluster(folder, Options.defaults().withToken("guest"));
        cluster.server.admit("guest", request -> request.method().equals("GET"));
        cluster.node("n1", "{}", "[]");
        cluster.node("n2", "{}", "[]");

        Result result = cluster.run("taint", "nodes", "--all", "a=1:NoSchedule");

        assertThat(result.err().lines()).hasSize(3)
                .startsWith(result.err().lines().toList().get(0))
                .allMatch(line -> line.startsWith("Error from server (Forbidden): ") || line.startsWith("You are"));
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).doesNotContain("guest\"}");
    }

    @Test
    void a_server_that_is_gone_is_not_asked_for_every_node() {
        cluster.close();

        Result result = cluster.run("taint", "nodes", "n1", "n2", "n3", "a=1:NoSchedule");

        assertThat(result.err().lines()).hasSize(2).first().asString().startsWith("The connection to the server 127.");
        assertThat(result.exit()).isEqualTo(1);
    }

    @Test
    void wait_ends_when_the_pods_that_are_driven_off_are_gone() throws IOException {
        pod("goes", "[]");
        pod("stays", "[{\"operator\":\"Exists\"}]");
        cluster.server.listen(request -> {
            if (request.path().endsWith("/pods") && request.query().contains("n1")) {
                cluster.server.get("pods", "default", "goes")
                        .ifPresent(pod -> cluster.server.delete("pods", "default", "goes"));
            }
        });

        Result result = cluster.run("taint", "nodes", "n1", "a=1:NoExecute", "--wait");

        assertThat(result).isEqualTo(new Result(0, "node/n1 tainted\n", ""));
        assertThat(cluster.server.get("pods", "default", "goes")).isEmpty();
    }

    @Test
    void wait_gives_up_in_time_and_names_the_pods() throws IOException {
        pod("web-1", "[]");

        Result result = cluster.run("taint", "nodes", "n1", "a=1:NoExecute", "--wait", "--timeout=1s");

        assertThat(result.err()).isEqualTo(
                "error: timed out waiting for pods to leave node/n1: default/web-1\n");
        assertThat(result.exit()).isEqualTo(1);
    }

    private void pod(String name, String tolerations) throws IOException {
        cluster.server.create("pods", Cluster.JSON.readTree("""
                {"metadata":{"namespace":"default","name":"%s"},"spec":{"nodeName":"n1","tolerations":%s,
                 "containers":[{"name":"c","image":"i"}]}}""".formatted(name, tolerations)));
    }

    @Test
    void help_is_help_wherever_it_is_asked_for() {
        Result result = cluster.run("taint", "nodes", "n1", "-h");

        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("--replace-key", "--kubeconfig", "--proposed-effects");
        assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
        assertThat(cluster.server.requests()).isEmpty();
    }
}
