package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Requests that are answered with a JSON object. A server that has enough is asked again after the wait it says. */
final class Requests implements AutoCloseable {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final int TRIES = 10;
    private static final byte[] NOTHING = {'{', '}'};

    private final ApiServer server;
    private final Route route;
    private final Time time;

    Requests(ApiServer server, Route route, Time time) {
        this.server = server;
        this.route = route;
        this.time = time;
    }

    ObjectNode get(String path) {
        return answer(path, () -> server.get(path));
    }

    ObjectNode page(Resource resource, String namespace, ListOptions options) {
        return answer(resource.collection(namespace), () -> server.page(resource, namespace, options));
    }

    ObjectNode patch(Resource resource, ObjectKey key, Patch patch, PatchOptions options) {
        return answer(resource.object(key), () -> server.patch(resource, key, patch, options));
    }

    /** Answers with what the server made of the metadata. */
    ObjectNode create(Resource resource, String namespace, byte[] object, String fieldManager) {
        return answer(resource.collection(namespace), () -> server.create(resource, namespace, object, fieldManager));
    }

    void delete(Resource resource, ObjectKey key, DeleteOptions options) {
        answer(resource.object(key), () -> {
            server.delete(resource, key, options);
            return NOTHING;
        });
    }

    @Override
    public void close() {
        server.close();
    }

    private ObjectNode answer(String path, Supplier<byte[]> request) {
        for (int tries = 1;; tries++) {
            try {
                return object(request.get(), path);
            } catch (ApiFailure.Throttled throttled) {
                if (tries == TRIES) {
                    throw LiveFailure.of(throttled, route, path);
                }
                time.sleep(throttled.retryAfter().orElse(Duration.ofSeconds(1)));
            } catch (ApiFailure failure) {
                throw LiveFailure.of(failure, route, path);
            }
        }
    }

    private static ObjectNode object(byte[] body, String path) {
        try {
            if (JSON.readTree(body) instanceof ObjectNode object) {
                return object;
            }
            throw new IOException("no object");
        } catch (IOException e) {
            throw ApiFailure.unreachable(path, "the answer is no JSON object; is this an API server?", e);
        }
    }
}
