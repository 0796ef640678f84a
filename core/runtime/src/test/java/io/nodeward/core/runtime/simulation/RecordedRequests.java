package io.nodeward.core.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** All that is sent to a server, byte for byte, to compare it with what was recorded before a change of the code. */
public final class RecordedRequests implements Transport {
    private static final boolean WRITE = "write".equals(System.getProperty("nodeward.requests"));

    private final Transport server;
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    /** Apart, as a thread of their own sends them. */
    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final List<String> steps = new ArrayList<>();

    public RecordedRequests(Transport server) {
        this.server = server;
    }

    @Override
    public Response exchange(Request call) {
        String body = new String(call.body().orElse(new byte[0]), StandardCharsets.UTF_8);
        String type = call.headers().getOrDefault("Content-Type", "");
        try {
            Response answer = server.exchange(call);
            add(call.method(), call.path(), type, body, answer.status());
            return answer;
        } catch (ApiFailure failure) {
            add(call.method(), call.path(), type, body, 0);
            throw failure;
        }
    }

    /** @param code of the answer; 0 if there was none */
    public void add(String method, String path, String contentType, String body, int code) {
        (path.contains("/events") ? events : requests)
                .add("  " + method + " " + path + " " + contentType + "\n    " + body + "\n    " + code + "\n");
    }

    /**
     * The requests since the step before, once all Events are written.
     *
     * @param text what happened
     */
    public void step(String text, EventRecorder recorder) {
        while (!recorder.isIdle()) {
            Thread.onSpinWait();
        }
        steps.add(text + "\n" + String.join("", requests) + String.join("", events));
        requests.clear();
        events.clear();
    }

    /** Compares with the resource {@code NAME.requests} of the test's package. */
    public void assertRecorded(Class<?> test, String name) {
        Path file = Path.of("src/test/resources", test.getPackageName().replace('.', '/'), name + ".requests");
        String all = String.join("", steps);
        try {
            if (WRITE) {
                Files.createDirectories(file.getParent());
                Files.writeString(file, all);
            }
            assertThat(all).as("%s (-Dnodeward.requests=write records it anew)", file)
                    .isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
