package io.nodeward.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the topics share: connections that are closed after the test. */
@Timeout(value = 600, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class Topic {
    static final Resource NODES = new Resource("", "v1", "nodes", false);
    static final Resource SECRETS = new Resource("", "v1", "secrets", true);
    static final String WRITER = "contract";

    private static final ObjectMapper JSON = new ObjectMapper();

    @RegisterExtension
    static final BeforeEachCallback IN_CONTRACT = context -> ((Topic) context.getRequiredTestInstance()).contract =
            context.getRequiredTestInstances().findInstance(Contract.class).orElseThrow();

    private @Nullable Contract contract;
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    @AfterEach
    void tidyUp() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    /** Closed after the test, last come first. */
    <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    /** The contract that the topic is nested in. */
    Contract contract() {
        return Objects.requireNonNull(contract);
    }

    Backend backend() {
        return contract().backend();
    }

    /** Of no other test. */
    String run() {
        return run;
    }

    String name(String suffix) {
        return "contract-" + run + "-" + suffix;
    }

    /** As from a Secret. */
    Transport transport(String kubeconfig) {
        return transport(kubeconfig, Optional.empty());
    }

    /** @param file where an operator's own kubeconfig was read from */
    Transport transport(String kubeconfig, Optional<Path> file) {
        String agent = "nodeward/contract (" + backend().name() + ")";
        return closing(backend().connect(new ClusterAccess(kubeconfig, file, agent)));
    }

    ApiServer api(String kubeconfig) {
        return new ApiServer(transport(kubeconfig));
    }

    /** With an operator's own kubeconfig, in {@code folder}. */
    ApiServer api(String kubeconfig, Path folder) {
        return new ApiServer(transport(kubeconfig, Optional.of(folder.resolve("kubeconfig"))));
    }

    static Request get(String path, Duration timeout) {
        return new Request("GET", path, Map.of("Accept", "application/json"), Optional.empty(), timeout, false);
    }

    /** Of a Node that is not there. */
    ObjectKey nobody() {
        return ObjectKey.clusterScoped(name("nobody"));
    }

    static Patch merge(String json) {
        return Patch.merge(bytes(json), WRITER);
    }

    static JsonNode json(byte[] bytes) throws IOException {
        return JSON.readTree(bytes);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** All that a failure tells anybody. */
    static String trace(Throwable failure) {
        StringWriter all = new StringWriter();
        failure.printStackTrace(new PrintWriter(all));
        return all.toString();
    }

    static String text(Response answer) throws IOException {
        return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }
}
