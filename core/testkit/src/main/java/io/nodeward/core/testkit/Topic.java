package io.nodeward.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** What the topics share: connections to the server under test, and objects of their own that go with the test. */
@Timeout(value = 90, threadMode = ThreadMode.SEPARATE_THREAD)
abstract class Topic {
    static final Resource NODES = new Resource("", "v1", "nodes", false);
    static final Resource SECRETS = new Resource("", "v1", "secrets", true);
    static final String WRITER = "contract";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final BackendContract contract;
    private final Deque<AutoCloseable> open = new ConcurrentLinkedDeque<>();
    private final Queue<Created> created = new ConcurrentLinkedQueue<>();
    private final String run = UUID.randomUUID().toString().substring(0, 8);

    Topic(BackendContract contract) {
        this.contract = contract;
    }

    @AfterEach
    void tidyUp() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        try (ApiServer api = api()) {
            created.forEach(object -> deleteIfThere(api, object));
        }
    }

    private record Created(Resource resource, ObjectKey key) {}

    private static void deleteIfThere(ApiServer api, Created object) {
        try {
            api.delete(object.resource(), object.key());
        } catch (ApiFailure.NotFound gone) {
            // the test deleted it
        }
    }

    /** Closed after the test, last come first. */
    <T extends AutoCloseable> T closing(T resource) {
        open.push(resource);
        return resource;
    }

    ContractServer server() {
        return contract.server();
    }

    /** As from a Secret. */
    Transport transport(String kubeconfig) {
        return transport(kubeconfig, Optional.empty());
    }

    /** @param file where an operator's own kubeconfig was read from */
    Transport transport(String kubeconfig, Optional<Path> file) {
        String agent = "nodeward/contract (" + contract.backend().name() + ")";
        return closing(contract.backend().connect(new ClusterAccess(kubeconfig, file, agent)));
    }

    BackendContract contract() {
        return contract;
    }

    /** The server under test. */
    ApiServer api() {
        return api(server().kubeconfig());
    }

    ApiServer api(String kubeconfig) {
        return new ApiServer(transport(kubeconfig));
    }

    /** With an operator's own kubeconfig, in {@code folder}. */
    ApiServer api(String kubeconfig, Path folder) {
        return new ApiServer(transport(kubeconfig, Optional.of(folder.resolve("kubeconfig"))));
    }

    FaultyServer faulty(FaultyServer.Reply reply) throws IOException {
        return closing(new FaultyServer(reply));
    }

    static Call get(String path, Duration timeout) {
        return new Call("GET", path, Map.of("Accept", "application/json"), Optional.empty(), timeout, false);
    }

    /** A label that all objects of this test have, and no others. */
    String label() {
        return "contract-run=" + run;
    }

    String name(String suffix) {
        return "contract-" + run + "-" + suffix;
    }

    /** Of a Node that is not there. */
    ObjectKey nobody() {
        return ObjectKey.clusterScoped(name("nobody"));
    }

    /** Creates a Node with the label, deleted after the test. */
    Metadata node(ApiServer api, String suffix) throws IOException {
        return created(api, NODES, "", nodeJson(name(suffix), "{}"));
    }

    Metadata created(ApiServer api, Resource resource, String namespace, byte[] json) throws IOException {
        Metadata metadata = Replies.metadata(api.create(resource, namespace, json, WRITER));
        created.add(new Created(resource, metadata.key()));
        return metadata;
    }

    /** @param annotations a JSON object */
    byte[] nodeJson(String name, String annotations) {
        return bytes("""
                {"apiVersion":"v1","kind":"Node",
                 "metadata":{"name":"%s","labels":{"contract-run":"%s"},"annotations":%s}}
                """.formatted(name, run, annotations));
    }

    byte[] secretJson(String name) {
        return bytes("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","labels":{"contract-run":"%s"}},
                 "data":{"value":"aGVsbG8="}}
                """.formatted(name, run));
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

    static String text(Answer answer) throws IOException {
        return new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
    }
}
