package io.nodeward.core.testkit;

import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What comes of a backend and the server under test, with objects there that go with the test. */
abstract class ServedTopic extends Topic {
    private final Queue<Created> created = new ConcurrentLinkedQueue<>();
    /** The server under test, over a connection of this test. */
    ApiServer api;

    @BeforeEach
    void connect() {
        api = api();
    }

    @Override
    @AfterEach
    void tidyUp() throws Exception {
        super.tidyUp();
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

    ContractServer server() {
        return ((ServedContract) contract()).server();
    }

    /** The server under test, over one more connection. */
    ApiServer api() {
        return api(server().kubeconfig());
    }

    /** A label that all objects of this test have, and no others. */
    String label() {
        return "contract-run=" + run();
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
                """.formatted(name, run(), annotations));
    }

    byte[] secretJson(String name) {
        return bytes("""
                {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s","labels":{"contract-run":"%s"}},
                 "data":{"value":"aGVsbG8="}}
                """.formatted(name, run()));
    }
}
