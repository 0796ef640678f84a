package io.nodeward.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveClusterTest {
    private static final ObjectKey N1 = new ObjectKey("", "n1");

    private final FakeApiServer server = FakeApiServer.start(Options.defaults());
    private final List<Duration> slept = new ArrayList<>();
    private final LiveCluster cluster = new LiveCluster(
            new ApiServer(new OfficialBackend().connect(
                    new ClusterAccess(server.kubeconfig(), Optional.of(Path.of("config")), "test"))),
            new Route("context x", server.url(), ""), "team", new Time() {
                @Override
                public Instant now() {
                    return Instant.EPOCH;
                }

                @Override
                public void sleep(Duration duration) {
                    slept.add(duration);
                }
            });

    @AfterEach
    void stop() {
        cluster.close();
        server.close();
    }

    private void node(String name, String pool) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.putObject("metadata").put("name", name).putObject("labels").put("pool", pool);
        server.create("nodes", node);
    }

    private static List<String> names(List<ObjectNode> objects) {
        return objects.stream().map(object -> object.at("/metadata/name").asText()).toList();
    }

    private static Patch label(String value) {
        String body = "{\"metadata\":{\"labels\":{\"pool\":\"" + value + "\"}}}";
        return Patch.merge(body.getBytes(StandardCharsets.UTF_8), "tests");
    }

    @Test
    void objects_of_a_list_say_what_they_are() {
        node("n1", "a");
        node("n2", "b");

        assertThat(names(cluster.list(LiveCluster.NODES, "", ""))).containsExactly("n1", "n2");
        ObjectNode one = cluster.list(LiveCluster.NODES, "", "pool in (b)").getFirst();
        assertThat(one.fieldNames()).toIterable().startsWith("kind", "apiVersion", "metadata");
        assertThat(one.path("kind").asText()).isEqualTo("Node");
    }

    @Test
    void a_long_list_is_read_in_pages() {
        for (int i = 0; i < 501; i++) {
            node("n%03d".formatted(i), "a");
        }
        server.clearRequests();

        assertThat(names(cluster.list(LiveCluster.NODES, "", ""))).hasSize(501).doesNotHaveDuplicates();
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void a_patch_returns_the_whole_object_and_a_dry_run_stores_nothing() {
        node("n1", "a");

        ObjectNode dry = cluster.patch(LiveCluster.NODES, N1, label("dry"), true);
        assertThat(dry.at("/metadata/labels/pool").asText()).isEqualTo("dry");
        assertThat(cluster.get(LiveCluster.NODES, N1).at("/metadata/labels/pool").asText()).isEqualTo("a");
        ObjectNode wet = cluster.patch(LiveCluster.NODES, N1, label("wet"), false);
        assertThat(cluster.get(LiveCluster.NODES, N1)).isEqualTo(wet);
        assertThat(wet.at("/metadata/managedFields/1/manager").asText()).isEqualTo("tests");
    }

    @Test
    void a_server_that_has_enough_is_asked_again_when_it_says() {
        node("n1", "a");
        server.fault(2, request -> true, Fault.tooManyRequests(7));

        assertThat(cluster.find(LiveCluster.NODES, N1)).isPresent();
        assertThat(slept).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
    }

    @Test
    void one_that_always_has_enough_is_left_alone() {
        server.fault(100, request -> true, Fault.tooManyRequests(1));

        assertThatThrownBy(() -> cluster.get(LiveCluster.NODES, N1))
                .isInstanceOf(LiveFailure.class)
                .hasMessageStartingWith("Error from server (TooManyRequests): ");
        assertThat(slept).hasSize(9);
    }

    @Test
    void what_is_not_there_is_empty_or_a_failure_in_kubectls_words() {
        assertThat(cluster.find(LiveCluster.NODES, N1)).isEmpty();
        assertThatThrownBy(() -> cluster.get(LiveCluster.NODES, N1))
                .hasMessage("Error from server (NotFound): nodes \"n1\" not found")
                .hasCauseInstanceOf(ApiFailure.NotFound.class);
    }

    @Test
    void a_namespace_that_was_looked_in_is_named() {
        assertThatThrownBy(() -> cluster.get(cluster.clusterApi("machines"), new ObjectKey("team", "m")))
                .isInstanceOfSatisfying(LiveFailure.class, failure -> assertThat(failure.advice())
                        .isEqualTo("It was looked for in namespace team; -n names another."));
    }

    @Test
    void what_a_webhook_forbids_is_no_matter_of_rights() {
        String message = "admission webhook \"v.example.com\" denied the request: no";
        server.fault(request -> true, Fault.status(403, "Forbidden", message));

        assertThatThrownBy(() -> cluster.get(LiveCluster.NODES, N1))
                .hasMessage("Error from server (Forbidden): " + message)
                .isInstanceOfSatisfying(LiveFailure.class, failure -> assertThat(failure.advice()).isEmpty());
    }

    @Test
    void a_user_who_names_a_webhook_is_told_of_rights() {
        server.fault(request -> true,
                Fault.status(403, "Forbidden", "nodes \"n1\" is forbidden: User \"admission webhook\""
                        + " cannot get resource \"nodes\""));

        assertThatThrownBy(() -> cluster.get(LiveCluster.NODES, N1))
                .isInstanceOfSatisfying(LiveFailure.class,
                        failure -> assertThat(failure.advice()).contains("can-i"));
    }

    @Test
    void a_message_of_a_server_commands_no_terminal_and_is_no_line_of_its_own() {
        server.fault(request -> true, Fault.status(422, "Invalid", "no\u001b[2J\r\nnode/n1 tainted\u202e\n"));

        assertThatThrownBy(() -> cluster.get(LiveCluster.NODES, N1))
                .hasMessage("Error from server (Invalid): no\\u001b[2J\n  node/n1 tainted\\u202e");
    }

    @Test
    void kinds_are_found_in_the_best_version_that_is_served() {
        Resource machines = cluster.clusterApi("machines");

        assertThat(machines).isEqualTo(new Resource("cluster.x-k8s.io", "v1beta2", "machines", true));
        assertThat(cluster.served("cluster.x-k8s.io", "machines", List.of("v9"))).isEmpty();
        assertThat(cluster.served("nobody.example", "machines", List.of("v1"))).isEmpty();
        server.clearRequests();
        assertThat(cluster.clusterApi("clusters").plural()).isEqualTo("clusters");
        assertThat(server.requests()).extracting(Request::method).isEmpty(); // asked once
    }

    @Test
    void a_server_without_cluster_api_is_not_the_one_that_is_meant() {
        assertThatThrownBy(() -> cluster.clusterApi("gizmos"))
                .hasMessage("error: the server doesn't have a resource type \"gizmos\" of Cluster API");
    }
}
