package io.nodeward.core.runtime.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Takes conditions of the objects of one kind, and nothing else.
 *
 * @param <T> the projected object
 */
public final class StatusServer<T extends KubernetesObject> implements Transport {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final FakeStore<T> store;
    private final BiFunction<T, List<Condition>, T> withConditions;
    private final Faults faults;

    public StatusServer(FakeStore<T> store, BiFunction<T, List<Condition>, T> withConditions, Faults faults) {
        this.store = store;
        this.withConditions = withConditions;
        this.faults = faults;
    }

    @Override
    public Answer exchange(Call call) {
        String[] path = call.path().split("[/?]");
        if (!call.method().equals("PATCH") || !path[8].equals("status")) {
            throw new AssertionError("nobody may be asked: " + call.method() + " " + call.path());
        }
        Fault fault = faults.next(true);
        fault.failBefore(faults);
        Answer answer = patch(new ObjectKey(path[5], path[7]), call.body().orElseThrow());
        fault.failAfter(faults);
        return answer;
    }

    private Answer patch(ObjectKey key, byte[] body) {
        JsonNode patch = read(body);
        Optional<T> object = store.get(key)
                .filter(held -> held.metadata().uid().equals(patch.at("/metadata/uid").asText()));
        if (object.isEmpty()) {
            return answer(404, "{\"kind\":\"Status\",\"reason\":\"NotFound\",\"code\":404}");
        }
        List<Condition> conditions = new ArrayList<>();
        patch.at("/status/conditions").forEach(json -> conditions.add(new Condition(
                json.path("type").asText(), json.path("status").asText(), json.path("reason").asText(),
                json.path("message").asText(), Instant.parse(json.path("lastTransitionTime").asText()))));
        T after = store.put(withConditions.apply(object.get(), conditions));
        return answer(200, "{\"metadata\":{\"resourceVersion\":\"" + after.metadata().resourceVersion() + "\"}}");
    }

    private static JsonNode read(byte[] body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Answer answer(int status, String body) {
        return new Answer(status, Optional.empty(),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
}
