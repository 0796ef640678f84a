package io.nodeward.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PipedInputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** After the tour, when the fleet is the reader's. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LiveTest extends DemoFixture {
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

    @Test
    void the_picture_in_the_readme_shows_what_is_shown() throws Exception {
        try (Demo demo = demo(DUMB)) {
            demo.listenTo(new PipedInputStream(keys));
            CompletableFuture<Boolean> run = running(demo);
            until(this::output, "q quits");
            type("q");
            assertThat(run.get()).isTrue();
        }
        List<String> picture = drawn(Files.readString(Path.of("../docs/images/demo.svg")));
        assertThat(output().lines().dropWhile(line -> !line.startsWith("The controller goes on."))
                .takeWhile(line -> !line.startsWith("  edit")).map(LiveTest::alike).toList())
                .hasSizeGreaterThan(6).isSubsetOf(picture);
    }

    /** The lines of a picture, without its gaps and what differs each time. */
    private static List<String> drawn(String svg) {
        return Pattern.compile("<text[^>]*>(.*?)</text>").matcher(svg).results()
                .map(text -> alike(text.group(1).replaceAll("<[^>]*>", "").replace("&gt;", ">"))).toList();
    }

    private static String alike(String line) {
        return line.replaceFirst("KUBECONFIG=.*", "KUBECONFIG=").replace(" ", "");
    }

    @Test
    void what_somebody_types_is_an_edit_and_not_the_controllers() throws Exception {
        try (Demo demo = demo(DUMB); HttpClient http = HttpClient.newHttpClient()) {
            demo.listenTo(new PipedInputStream(keys));
            CompletableFuture<Boolean> run = running(demo);
            until(this::output, "export KUBECONFIG=");
            HttpRequest write = request(demo, "/api/v1/nodes/cp-1")
                    .header("User-Agent", "nodeward/test (official; cli)")
                    .header("Content-Type", "application/merge-patch+json")
                    .method("PATCH", HttpRequest.BodyPublishers.ofString("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"))
                    .build();
            http.send(write, HttpResponse.BodyHandlers.discarding());
            until(this::output, "  edit    PATCH nodes/cp-1 -> 200\n  cost    0 writes, 0 reads");
            type("q");
            assertThat(run.get()).isTrue();
        }
    }

    @Test
    void a_taint_of_the_machine_deployment_reaches_its_nodes() throws Exception {
        try (Demo demo = demo(DUMB)) {
            demo.listenTo(new PipedInputStream(keys));
            CompletableFuture<Boolean> run = running(demo);
            until(this::output, "export KUBECONFIG=");
            demo.server().mergePatch("machinedeployments", "default", "web", tree("""
                    {"spec":{"template":{"spec":{"taints":
                      [{"key":"gpu","effect":"NoSchedule","propagation":"Always"}]}}}}"""));
            for (String node : List.of("web-1", "web-2", "web-3")) {
                until(() -> demo.server().get("nodes", "", node).orElseThrow().at("/spec/taints").toString(),
                        "{\"key\":\"gpu\",\"effect\":\"NoSchedule\"}");
            }
            type("q");
            assertThat(run.get()).isTrue();
        }
    }
}
