package io.nodeward.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;

/** A demo that writes to memory, and a keyboard for it. */
abstract class DemoFixture {
    static final Terminal FILE = new Terminal(false, false, 0);
    static final Terminal DUMB = new Terminal(true, false, 0);
    static final Terminal FULL = new Terminal(true, true, 24);

    final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    final PipedOutputStream keys = new PipedOutputStream();

    Demo demo(Terminal terminal, Duration patience) throws IOException {
        return Demo.open(out, terminal, Pace.unwatched(patience));
    }

    Demo demo(Terminal terminal) throws IOException {
        return demo(terminal, Duration.ofMinutes(1));
    }

    String output() {
        return bytes.toString(StandardCharsets.UTF_8);
    }

    void type(String line) throws IOException {
        keys.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        keys.flush();
    }

    static void until(Supplier<String> text, String expected) {
        await().atMost(Duration.ofMinutes(3)).untilAsserted(() -> assertThat(text.get()).contains(expected));
    }

    @AfterEach
    void let_go_of_the_keyboard() throws IOException {
        keys.close();
    }

    static JsonNode tree(String json) {
        try {
            return new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(json, e);
        }
    }

    /** As a client makes it that has nothing but the kubeconfig. */
    static HttpRequest.Builder request(Demo demo, String path) throws IOException {
        String kubeconfig = Files.readString(demo.workplace().kubeconfig());
        Matcher server = Pattern.compile("server: \"([^\"]+)\"").matcher(kubeconfig);
        assertThat(server.find()).isTrue();
        return HttpRequest.newBuilder(URI.create(server.group(1) + path));
    }

    static CompletableFuture<Boolean> running(Demo demo) {
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
