package io.nodeward.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DemoTest {
    private static final Terminal FILE = new Terminal(false, false, 0);
    private static final Terminal DUMB = new Terminal(true, false, 0);
    private static final Terminal FULL = new Terminal(true, true, 24);

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private final PipedOutputStream keys = new PipedOutputStream();

    private Demo demo(Terminal terminal, Duration patience) throws IOException {
        return Demo.open(out, terminal, Pace.unwatched(patience));
    }

    private Demo demo(Terminal terminal) throws IOException {
        return demo(terminal, Duration.ofMinutes(1));
    }

    private String output() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private void type(String line) throws IOException {
        keys.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    private static void until(Supplier<String> text, String expected) {
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(text.get()).contains(expected));
    }

    @AfterEach
    void let_go_of_the_keyboard() throws IOException {
        keys.close();
    }

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

    private static JsonNode tree(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
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

    /** As a client makes it that has nothing but the kubeconfig. */
    private static HttpRequest.Builder request(Demo demo, String path) throws IOException {
        String kubeconfig = Files.readString(demo.workplace().kubeconfig());
        Matcher server = Pattern.compile("server: \"([^\"]+)\"").matcher(kubeconfig);
        assertThat(server.find()).isTrue();
        return HttpRequest.newBuilder(URI.create(server.group(1) + path));
    }

    @Test
    void after_the_tour_the_fleet_is_the_readers_in_plain_lines() throws Exception {
        try (Demo demo = demo(DUMB)) {
            demo.listenTo(new PipedInputStream(keys));
            CompletableFuture<Boolean> run = running(demo);
            until(this::output, "export KUBECONFIG=" + demo.workplace().kubeconfig());
            type("1");
            until(this::output, "web-2    dedicated=yours:NoSchedule    Always  * dedicated=yours:NoSchedule");
            type("nonsense");
            until(this::output, "no such number: nonsense");
            type("q");
            assertThat(run.get()).isTrue();
        }
        assertThat(output()).doesNotContain("\033");
        assertThat(output().lines()).allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(80));
    }

    @Test
    void every_edit_of_the_menu_reaches_the_screen() throws Exception {
        try (Demo demo = demo(FULL)) {
            demo.listenTo(new PipedInputStream(keys));
            CompletableFuture<Boolean> run = running(demo);
            Supplier<String> screen = () -> GlassTerminal.after(output()).text();
            until(screen, "export KUBECONFIG=");
            type("1");
            until(screen, "Always  * dedicated=yours:NoSchedule");
            type("2");
            until(screen, "Always  * dedicated=mine:NoSchedule");
            type("5");
            until(screen,
                    "Node web-2: dedicated is taken off by hand\n  cost    1 write (PATCH nodes/web-2 -> 200), 0 reads");
            type("3");
            until(screen, "OnInit  o dedicated=mine:NoSchedule");
            type("6");
            until(screen, "o maintenance:NoExecute");
            type("4");
            until(screen, "o dedicated=mine:NoSchedule");
            type("7");
            until(screen,
                    "Node web-2 is deleted and created again\n  cost    1 write (PATCH nodes/web-2 -> 200), 0 reads");
            assertThat(screen.get()).doesNotContain("maintenance:NoExecute");
            type("q");
            assertThat(run.get()).isTrue();
        }
        assertThat(GlassTerminal.after(output()).isGivenBack()).isTrue();
    }

    private static CompletableFuture<Boolean> running(Demo demo) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        Thread.ofPlatform().start(() -> {
            try {
                result.complete(demo.run(false));
            } catch (InterruptedException | RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
