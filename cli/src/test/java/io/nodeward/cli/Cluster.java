package io.nodeward.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** A cluster and a terminal, to try the command as it is typed. */
final class Cluster implements AutoCloseable {
    static final ObjectMapper JSON = new ObjectMapper();

    final FakeApiServer server;
    private final Path kubeconfig;

    /** What a command printed, and how it ended. */
    record Result(int exit, String out, String err) {}

    Cluster(Path folder) throws IOException {
        this(folder, Options.defaults());
    }

    Cluster(Path folder, Options options) throws IOException {
        server = FakeApiServer.start(options);
        kubeconfig = Files.writeString(folder.resolve("config"), server.kubeconfig());
    }

    void node(String name, String labels, String taints) throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.putObject("metadata").put("name", name).set("labels", JSON.readTree(labels));
        node.putObject("spec").put("providerID", "test://" + name).set("taints", JSON.readTree(taints));
        server.create("nodes", node);
    }

    /** {@code key[=value]:effect}, in their order. */
    List<String> taints(String node) {
        JsonNode taints = server.get("nodes", "", node).orElseThrow().at("/spec/taints");
        return StreamSupport.stream(taints.spliterator(), false).map(Cluster::text).toList();
    }

    static String text(JsonNode taint) {
        String value = taint.path("value").asText();
        return taint.path("key").asText() + (value.isEmpty() ? "" : "=" + value) + ":"
                + taint.path("effect").asText();
    }

    Result run(String... args) {
        return run(Terminal.NONE, args);
    }

    Result run(Terminal terminal, String... args) {
        return answered(terminal, "", args);
    }

    /** @param typed by who is asked */
    Result answered(Terminal terminal, String typed, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int exit = new Invocation(new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out), new PrintStream(err),
                Map.of("KUBECONFIG", kubeconfig.toString()), terminal).run(new Unhurried(), args);
        return new Result(exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** Time that passes when a command sleeps, and only then: at once. */
    private static final class Unhurried implements Time {
        private Instant now = Instant.now();

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public void sleep(Duration duration) {
            now = now.plus(duration);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
