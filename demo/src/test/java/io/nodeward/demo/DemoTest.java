package io.nodeward.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.Fault;
import java.io.IOException;
import java.io.PrintStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DemoTest extends DemoFixture {
    @Test
    void the_tour_comes_true_in_plain_narrow_lines_and_leaves_nothing_behind() throws Exception {
        try (Demo demo = demo(FILE)) {
            assertThat(demo.run(true)).as(output()).isTrue();
            assertThat(demo.workplace().directory()).doesNotExist();
            assertThat(demo.server().openWatches()).isZero();
        }
        assertThat(output()).contains("11 of 11 steps came true; 16 writes were made, 16 were due.")
                .doesNotContain("\033");
        assertThat(output().lines()).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
    }

    @Test
    void what_the_tour_says_of_its_writes_is_so() throws Exception {
        try (Demo demo = demo(FILE)) {
            demo.run(true);
            List<String> writes = demo.server().requests().stream()
                    .filter(request -> !request.method().equals("GET"))
                    .map(request -> written(request.body()))
                    .toList();
            assertThat(writes).hasSize(16);
            assertThat(writes.subList(0, 6)).filteredOn(body -> body.contains("tier")).hasSize(3)
                    .noneSatisfy(body -> assertThat(body).contains("uninitialized"));
            assertThat(writes.get(12)).as("adopting does not write the list").doesNotContain("/spec/taints")
                    .isNotEmpty();
            assertThat(writes.get(15)).as("a label's write").doesNotContain("/spec/taints")
                    .contains("/metadata/labels/");
        }
    }

    /** Of a JSON patch, what it changes: not what it tests. */
    private static String written(String patch) {
        return tree(patch).valueStream()
                .filter(operation -> !operation.path("op").asText().equals("test"))
                .map(JsonNode::toString)
                .collect(Collectors.joining("\n"));
    }

    @Test
    void a_step_that_does_not_come_true_ends_the_tour_and_keeps_the_log() throws Exception {
        try (Demo demo = demo(FILE, Duration.ofSeconds(3))) {
            demo.server().fault(1000, request -> request.method().equals("PATCH"),
                    Fault.status(403, "Forbidden", "not today"));
            assertThat(demo.run(true)).isFalse();
            assertThat(output()).contains("FAILED").contains("-> 403").contains("0 of 11 steps")
                    .doesNotContain("Step 2");
            assertThat(output()).contains(demo.workplace().log().toString());
            assertThat(demo.workplace().kubeconfig()).doesNotExist();
            demo.workplace().remove(false);
        }
    }

    @Test
    void a_write_that_was_not_answered_fails_its_step() throws Exception {
        try (Demo demo = demo(FILE)) {
            demo.server().fault(request -> request.body().contains("/metadata/labels/"), new Fault.Cut(-1));
            assertThat(demo.run(true)).isFalse();
            assertThat(output()).contains("10 of 11 steps").contains("PATCH nodes/web-1 -> 0");
            demo.workplace().remove(false);
        }
    }

    @Test
    void a_write_beside_the_steps_fails_the_tour() throws Exception {
        try (Demo demo = demo(FILE); HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest write = request(demo, "/api/v1/nodes/cp-1")
                    .header("User-Agent", "nodeward/test")
                    .header("Content-Type", "application/merge-patch+json")
                    .method("PATCH", HttpRequest.BodyPublishers.ofString("{}"))
                    .build();
            assertThat(http.send(write, HttpResponse.BodyHandlers.discarding()).statusCode()).isEqualTo(200);
            assertThat(demo.run(true)).isFalse();
            assertThat(output()).contains("11 of 11 steps came true; 17 writes were made, 16 were due.");
        }
    }

    @Test
    void the_exit_code_says_whether_the_tour_came_true() throws IOException {
        PrintStream before = System.out;
        System.setOut(out);
        try {
            assertThat(new CommandLine(new Main()).execute("--once", "--patience=0")).isEqualTo(1);
            assertThat(new CommandLine(new Main()).execute("--once", "--patience=60")).as(output()).isZero();
        } finally {
            System.setOut(before);
        }
        Matcher log = Pattern.compile("/\\S+/controller\\.log").matcher(output());
        assertThat(log.find()).isTrue();
        new Workplace(Path.of(log.group()).getParent()).remove(false);
    }

    @Test
    void the_kubeconfig_leads_to_the_machines_and_is_for_its_owner_alone() throws Exception {
        String machines = "/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machines";
        try (Demo demo = demo(FILE); HttpClient http = HttpClient.newHttpClient()) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(demo.workplace().kubeconfig())))
                    .isEqualTo("rw-------");
            // kubectl sends no credential over plain HTTP: with one, the server would be closed to it.
            assertThat(Files.readString(demo.workplace().kubeconfig())).contains("user: {}");
            JsonNode list = new ObjectMapper().readTree(
                    http.send(request(demo, machines).build(), HttpResponse.BodyHandlers.ofString()).body());
            assertThat(list.at("/items")).hasSize(6);
        }
    }
}
