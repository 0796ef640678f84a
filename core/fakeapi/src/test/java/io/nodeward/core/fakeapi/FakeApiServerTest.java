package io.nodeward.core.fakeapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FakeApiServerTest extends ServerTest {
    private static boolean isPatch(Request request) {
        return request.method().equals("PATCH");
    }

    @Test
    void objects_can_be_had_without_http() {
        server.create("machines.cluster.x-k8s.io",
                Client.json("{'metadata':{'name':'m'},'spec':{'clusterName':'c'},'status':{'phase':'Running'}}"));
        server.mergePatch("machines", "default", "m",
                Client.json("{'spec':{'version':'v1'},'status':{'nodeRef':{'name':'n'}}}"));
        JsonNode machine = server.get("machines", "default", "m").orElseThrow();
        assertThat(machine.at("/status/phase").asText()).isEqualTo("Running");
        assertThat(machine.at("/status/nodeRef/name").asText()).isEqualTo("n");
        assertThat(machine).isEqualTo(client.get(Client.MACHINES + "/m").json());
        server.delete("machines", "default", "m");
        assertThat(server.list("machines")).isEmpty();
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void direct_access_is_refused_as_requests_are() {
        assertThatThrownBy(() -> server.create("nodes", Client.json("{'metadata':{'name':'A'}}")))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.code()).isEqualTo(422));
        assertThatThrownBy(() -> server.delete("nodes", "", "a"))
                .isInstanceOfSatisfying(Refusal.class, r -> assertThat(r.code()).isEqualTo(404));
        assertThatThrownBy(() -> server.list("nonsense")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_patched_object_is_not_tied_to_the_callers_json() {
        server.create("nodes", Client.json("{'metadata':{'name':'a'}}"));
        JsonNode patch = Client.json("{'spec':{'taints':[{'key':'k','effect':'NoExecute'}]}}");
        server.mergePatch("nodes", "", "a", patch);
        ((ArrayNode) patch.at("/spec/taints")).removeAll();
        assertThat(server.get("nodes", "", "a").orElseThrow().at("/spec/taints")).hasSize(1);
    }

    @Test
    void requests_are_witnessed() {
        node("a");
        server.clearRequests();
        client.merge(Client.NODES + "/a?fieldManager=me", "{'metadata':{'labels':{'x':'y'}}}");
        client.get(Client.NODES + "/b");
        assertThat(server.requests()).containsExactly(
                new Request("PATCH", "/api/v1/nodes/a", "fieldManager=me", "tests/1.0", Client.MERGE,
                        "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}", 200),
                new Request("GET", "/api/v1/nodes/b", "", "tests/1.0", "", "", 404));
    }

    @Test
    void who_sees_what_a_request_wrote_sees_the_request() throws Exception {
        node("a");
        server.clearRequests();
        try (ExecutorService writer = Executors.newSingleThreadExecutor()) {
            for (int i = 1; i <= 200; i++) {
                String label = "v" + i;
                Future<Client.Reply> written = writer.submit(
                        () -> client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'x':'" + label + "'}}}"));
                while (!isLabelled("a", label) && !written.isDone()) {
                    Thread.onSpinWait();
                }
                assertThat(server.requests()).hasSize(i);
                assertThat(written.get().code()).isEqualTo(200);
            }
        }
    }

    private boolean isLabelled(String node, String value) {
        return server.get("nodes", "", node).orElseThrow().at("/metadata/labels/x").asText().equals(value);
    }

    @Test
    void a_listener_hears_of_a_write_when_it_is_stored() {
        node("a");
        List<String> heard = new CopyOnWriteArrayList<>();
        server.listen(request -> heard.add(request.method() + " " + request.code() + " "
                + server.get("nodes", "", "a").orElseThrow().at("/metadata/labels/x").asText("-")));
        client.get(Client.NODES + "/a");
        client.merge(Client.NODES + "/a", "{'metadata':{'labels':{'x':'y'}}}");
        assertThat(heard).containsExactly("GET 200 -", "PATCH 200 y");
    }

    @Test
    void a_token_is_required_where_one_is_set() {
        try (FakeApiServer guarded = FakeApiServer.start(Options.defaults().withToken("secret"));
                Client other = new Client(guarded)) {
            assertThat(guarded.kubeconfig()).contains("token: \"secret\"").contains(guarded.url());
            assertThat(other.get("/api/v1/nodes").at("/reason")).isEqualTo("Unauthorized");
            assertThat(other.send(other.request("/api/v1/nodes").header("Authorization", "Bearer other").GET()).code())
                    .isEqualTo(401);
            assertThat(other.send(other.request("/api/v1/nodes").header("Authorization", "Bearer secret").GET()).code())
                    .isEqualTo(200);
        }
    }

    @Test
    void an_answer_can_be_planned() {
        node("a");
        server.fault(2, FakeApiServerTest::isPatch, Fault.tooManyRequests(7));
        assertThat(client.get(Client.NODES + "/a").code()).isEqualTo(200);
        Client.Reply reply = client.merge(Client.NODES + "/a", "{'spec':{'unschedulable':true}}");
        assertThat(reply.code()).isEqualTo(429);
        assertThat(reply.http().headers().firstValue("Retry-After")).contains("7");
        assertThat(client.merge(Client.NODES + "/a", "{}").code()).isEqualTo(429);
        assertThat(client.merge(Client.NODES + "/a", "{}").code()).isEqualTo(200);
        assertThat(server.get("nodes", "", "a").orElseThrow().at("/spec").isEmpty()).isTrue();
    }

    @Test
    void any_body_can_be_answered() {
        server.fault(r -> true, new Fault.Answer(503, Map.of("Content-Type", "text/html"), "<p>busy"));
        Client.Reply reply = client.get(Client.NODES);
        assertThat(reply.code()).isEqualTo(503);
        assertThat(new String(reply.http().body())).isEqualTo("<p>busy");
        server.fault(r -> true, Fault.status(403, "Forbidden", "no"));
        assertThat(client.get(Client.NODES).at("/reason")).isEqualTo("Forbidden");
    }

    @Test
    void planned_faults_can_be_taken_back() {
        server.fault(r -> true, Fault.status(500, "InternalError", "x"));
        server.clearFaults();
        assertThat(client.get(Client.NODES).code()).isEqualTo(200);
    }

    @Test
    void an_answer_can_be_late() {
        server.fault(r -> true, new Fault.Delay(Duration.ofMillis(200)));
        long start = System.nanoTime();
        assertThat(client.get(Client.NODES).code()).isEqualTo(200);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
    }

    @Test
    void an_answer_can_be_cut() {
        node("a");
        server.fault(r -> r.method().equals("GET"), new Fault.Cut(10));
        assertThatThrownBy(() -> client.get(Client.NODES)).isInstanceOf(UncheckedIOException.class);
        assertThat(client.get(Client.NODES).code()).isEqualTo(200);
    }

    @Test
    void a_write_can_happen_and_nobody_be_told() {
        node("a");
        server.fault(FakeApiServerTest::isPatch, new Fault.Cut(-1));
        assertThatThrownBy(() -> client.merge(Client.NODES + "/a", "{'spec':{'unschedulable':true}}"))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(server.get("nodes", "", "a").orElseThrow().at("/spec/unschedulable").asBoolean()).isTrue();
        assertThat(server.requests()).last().satisfies(r -> assertThat(r.code()).isZero());
    }

    @Test
    void a_watch_can_be_cut() throws IOException {
        node("a");
        server.fault(r -> r.query().contains("watch"), new Fault.Cut(20));
        Client.Events events = client.watch(Client.NODES + "?watch=true");
        assertThatThrownBy(events::next).isInstanceOf(IOException.class);
    }

    @Test
    void closing_ends_watches_and_leaves_no_thread(@TempDir Path directory) throws IOException, InterruptedException {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Set<String> virtualBefore = virtualThreads(directory, Set.of());
        FakeApiServer other = FakeApiServer.start(Options.defaults());
        Client.Events events;
        try (Client otherClient = new Client(other)) {
            events = otherClient.watch(Client.NODES + "?watch=true");
            assertThat(other.openWatches()).isEqualTo(1);
            assertThat(virtualThreads(directory, virtualBefore)).isNotEmpty();
            other.close();
            assertThatThrownBy(events::next).isInstanceOf(IOException.class);
            assertThat(other.openWatches()).isZero();
        }
        for (Thread left : Thread.getAllStackTraces().keySet()) {
            String name = left.getName();
            if (!before.contains(left)
                    && (name.contains("HTTP-Dispatcher") || name.contains("idle") || name.contains("fakeapi"))) {
                // The JDK's server cancels the timer of idle connections when it stops, and its thread ends after that.
                assertThat(left.join(Duration.ofMinutes(1))).as(name + " has ended").isTrue();
            }
        }
        assertThat(virtualThreads(directory, virtualBefore)).isEmpty();
        assertThatThrownBy(() -> new Client(other).get("/readyz"))
                .isInstanceOf(UncheckedIOException.class);
    }

    /** Ours besides {@code others}, by number and name; only a thread dump shows them. */
    private static Set<String> virtualThreads(Path directory, Set<String> others) throws IOException {
        Path dump = directory.resolve("threads.txt");
        FlightRecorder.getFlightRecorder(); // it uses JVM TI, without which a dump crashes the JVM more often (JDK-8364343)
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .dumpThreads(dump.toAbsolutePath().toString(), ThreadDumpFormat.TEXT_PLAIN);
        try {
            Pattern ours = Pattern.compile("^#\\d+ \"fakeapi-.*\" virtual", Pattern.MULTILINE);
            return ours.matcher(Files.readString(dump)).results().map(MatchResult::group)
                    .filter(thread -> !others.contains(thread)).collect(Collectors.toSet());
        } finally {
            Files.delete(dump);
        }
    }

    @Test
    void a_server_on_a_port_in_use_says_so() {
        int port = Integer.parseInt(server.url().replaceAll(".*:", ""));
        assertThatThrownBy(() -> FakeApiServer.start(Options.defaults().withPort(port)))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining(Integer.toString(port));
    }

    @Test
    void clusters_secrets_and_leases_are_there() {
        for (String resource : List.of("clusters", "secrets", "leases", "pods", "serviceaccounts", "events")) {
            server.create(resource, Client.json("{'metadata':{'name':'x','namespace':'default'}}"));
            assertThat(server.list(resource)).as(resource).hasSize(1);
        }
    }
}
