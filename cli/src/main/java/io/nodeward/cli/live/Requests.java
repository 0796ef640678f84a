package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.json.StatusJson;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Requests that are answered with a JSON object. A server that has enough is asked again after the wait it says. */
final class Requests implements AutoCloseable {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final int TRIES = 10;
    /** Bytes; more of a failure's words nobody reads. */
    private static final int LARGEST_FAILURE = 64 * 1024;

    private final Transport transport;
    private final Route route;
    private final Duration timeout;
    private final Time time;

    Requests(Transport transport, Route route, Duration timeout, Time time) {
        this.transport = transport;
        this.route = route;
        this.timeout = timeout;
        this.time = time;
    }

    ObjectNode get(String path) {
        return object(send("GET", path, Optional.empty()), "GET", path);
    }

    ObjectNode patch(String path, Patch patch) {
        return object(send("PATCH", path, Optional.of(patch)), "PATCH", path);
    }

    @Override
    public void close() {
        transport.close();
    }

    private byte[] send(String method, String path, Optional<Patch> patch) {
        Map<String, String> headers = new HashMap<>(Map.of("Accept", "application/json"));
        patch.ifPresent(p -> headers.put("Content-Type", p.contentType()));
        Call call = new Call(method, path, headers, patch.map(Patch::body), timeout, false);
        for (int tries = 1;; tries++) {
            try {
                return exchange(call);
            } catch (ApiFailure.Throttled throttled) {
                if (tries == TRIES) {
                    throw failed(throttled, path);
                }
                time.sleep(throttled.retryAfter().orElse(Duration.ofSeconds(1)));
            } catch (ApiFailure failure) {
                throw failed(failure, path);
            }
        }
    }

    private byte[] exchange(Call call) {
        String doing = call.method() + " " + call.path();
        try (Answer answer = transport.exchange(call)) {
            if (answer.status() / 100 != 2) {
                byte[] body = answer.body().readNBytes(LARGEST_FAILURE);
                throw ApiFailure.of(StatusJson.read(answer.status(), body), doing, answer.retryAfter());
            }
            return answer.body().readAllBytes();
        } catch (IOException e) {
            throw ApiFailure.unreachable(doing, "the answer was cut", e);
        }
    }

    private ObjectNode object(byte[] body, String method, String path) {
        try {
            if (JSON.readTree(body) instanceof ObjectNode object) {
                return object;
            }
            throw new IOException("no object");
        } catch (IOException e) {
            throw failed(ApiFailure.unreachable(method + " " + path,
                    "the answer is no JSON object; is this an API server?", e), path);
        }
    }

    private LiveFailure failed(ApiFailure failure, String path) {
        return LiveFailure.of(failure, route, path);
    }
}
