package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** Sends requests that are answered with a JSON object. It asks an overloaded server again after the wait that it names. */
record Requests(Route route, Time time) {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final int TRIES = 10;

    /**
     * Returns the answer of a server.
     *
     * @param path of the request, for errors
     * @throws LiveFailure if the request fails
     */
    ObjectNode answer(String path, Supplier<byte[]> request) {
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
