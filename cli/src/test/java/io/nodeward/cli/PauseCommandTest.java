package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseCommandTest {
    private Cluster cluster;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        cluster = new Cluster(folder);
        namespace("nodeward-system");
        namespace("other");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void namespace(String name) throws IOException {
        cluster.server.create("namespaces", Cluster.JSON.readTree("{\"metadata\":{\"name\":\"" + name + "\"}}"));
    }

    private JsonNode data(String namespace, String name) {
        return cluster.server.get("configmaps", namespace, name).orElseThrow().path("data");
    }

    @Test
    void a_pause_and_its_end_are_set_in_the_config_map_that_the_controller_reads() throws IOException {
        Result paused = cluster.run("pause", "--reason", "node \"upgrade\"");
        assertThat(paused).isEqualTo(
                new Result(0, "configmap/nodeward-pause paused (namespace nodeward-system)\n", ""));
        assertThat(data("nodeward-system", "nodeward-pause")).isEqualTo(
                Cluster.JSON.readTree("{\"paused\":\"true\",\"reason\":\"node \\\"upgrade\\\"\"}"));
        assertThat(cluster.run("pause").exit()).isZero();
        assertThat(data("nodeward-system", "nodeward-pause")).as("the newer pause has no reason")
                .isEqualTo(Cluster.JSON.readTree("{\"paused\":\"true\"}"));

        assertThat(cluster.run("resume")).isEqualTo(
                new Result(0, "configmap/nodeward-pause resumed (namespace nodeward-system)\n", ""));
        assertThat(data("nodeward-system", "nodeward-pause"))
                .isEqualTo(Cluster.JSON.readTree("{\"paused\":\"false\"}"));
    }

    @Test
    void another_config_map_is_named_as_the_controller_names_it() {
        assertThat(cluster.run("pause", "-n", "other", "--configmap=hold").out())
                .isEqualTo("configmap/hold paused (namespace other)\n");
        assertThat(data("other", "hold").path("paused").asText()).isEqualTo("true");
        assertThat(cluster.server.list("configmaps")).hasSize(1);
    }

    @Test
    void where_nothing_is_paused_a_resume_writes_nothing() {
        assertThat(cluster.run("resume")).isEqualTo(new Result(0,
                "configmap/nodeward-pause is not there: nothing is paused (namespace nodeward-system)\n", ""));
        assertThat(cluster.server.requests()).extracting(request -> request.method()).isEqualTo(List.of("GET"));
    }

    @Test
    void a_namespace_that_is_not_there_is_no_pause() {
        Result result = cluster.run("pause", "-n", "nowhere");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("namespaces \"nowhere\" not found");
    }
}
