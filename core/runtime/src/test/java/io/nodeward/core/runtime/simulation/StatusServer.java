package io.nodeward.core.runtime.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/** Takes conditions of objects and Events, and nothing else. */
public final class StatusServer implements Transport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Faults faults;
    private final Map<String, Kind<?>> kinds = new HashMap<>();

    private record Kind<T extends KubernetesObject>(FakeStore<T> store, BiFunction<T, List<Condition>, T> with) {
        Optional<T> put(ObjectKey key, String uid, List<Condition> conditions) {
            return store.get(key).filter(held -> held.metadata().uid().equals(uid))
                    .map(held -> store.put(with.apply(held, conditions)));
        }
    }

    public StatusServer(Faults faults) {
        this.faults = faults;
    }

    /** @param with the object with other conditions */
    public <T extends KubernetesObject> void add(
            String plural, FakeStore<T> store, BiFunction<T, List<Condition>, T> with) {
        kinds.put(plural, new Kind<>(store, with));
    }

    @Override
    public Response exchange(Request call) {
        if (call.method().equals("POST") && call.path().contains("/events?")) {
            return answer(201, "{}");
        }
        String[] path = call.path().split("[/?]");
        if (!call.method().equals("PATCH") || !path[8].equals("status")) {
            throw new AssertionError("nobody may be asked: " + call.method() + " " + call.path());
        }
        Kind<?> kind = Optional.ofNullable(kinds.get(path[6])).orElseThrow();
        Fault fault = faults.next(true);
        fault.failBefore(faults);
        Response answer = patch(kind, new ObjectKey(path[5], path[7]), call.body().orElseThrow());
        fault.failAfter(faults);
        return answer;
    }

    private static Response patch(Kind<?> kind, ObjectKey key, byte[] body) {
        JsonNode patch = read(body);
        List<Condition> conditions = new ArrayList<>();
        patch.at("/status/conditions").forEach(json -> conditions.add(new Condition(
                json.path("type").asText(), json.path("status").asText(), json.path("reason").asText(),
                json.path("message").asText(), Instant.parse(json.path("lastTransitionTime").asText()))));
        return kind.put(key, patch.at("/metadata/uid").asText(), conditions)
                .map(after -> answer(200,
                        "{\"metadata\":{\"resourceVersion\":\"" + after.metadata().resourceVersion() + "\"}}"))
                .orElseGet(() -> answer(404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404}"));
    }

    private static JsonNode read(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Response answer(int status, String body) {
        return new Response(status, Optional.empty(),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
}
