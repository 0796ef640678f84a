package io.nodeward.core.runtime.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.Faults;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** Shows, lists, applies and deletes cluster-scoped objects, which may fail. What it does not have is an empty list. */
final class RegistrationServer implements Transport {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MANAGER = "nodeward-test";

    private final Map<String, FakeStore<StoredObject>> stores;
    private final Faults faults;
    private int uids;
    private int writes;
    private boolean deletionForbidden;

    /** @param stores by plural */
    RegistrationServer(Map<String, FakeStore<StoredObject>> stores, Faults faults) {
        this.stores = stores;
        this.faults = faults;
    }

    /** Objects of which it has made a change. */
    int writes() {
        return writes;
    }

    /** Whether it has refused a deletion since this was last asked: nobody tries it again without a reason. */
    boolean deletionForbidden() {
        boolean was = deletionForbidden;
        deletionForbidden = false;
        return was;
    }

    @Override
    public Response exchange(Request call) {
        String[] path = call.path().split("\\?")[0].split("/");
        Fault fault = faults.next(call.method().equals("GET"));
        deletionForbidden |= fault == Fault.FORBIDDEN && call.method().equals("DELETE");
        fault.failBefore(faults);
        if (path.length < 6) {
            Response list = answer(200, list(path[path.length - 1]).toString());
            fault.failAfter(faults);
            return list;
        }
        FakeStore<StoredObject> store = Optional.ofNullable(stores.get(path[4])).orElseThrow();
        ObjectKey key = ObjectKey.clusterScoped(path[5]);
        if (fault == Fault.CONFLICT) {
            store.get(key).ifPresent(object -> store.put(object.edited()));
        }
        Response answer = switch (call.method()) {
            case "GET" -> store.get(key).map(found -> answer(200, found.json().toString()))
                    .orElseGet(() -> refused(404, "NotFound"));
            case "PATCH" -> apply(store, key, read(call));
            default -> delete(store, key, read(call).path("preconditions"));
        };
        fault.failAfter(faults);
        return answer;
    }

    private ObjectNode list(String plural) {
        ObjectNode list = MAPPER.createObjectNode();
        Optional.ofNullable(stores.get(plural)).ifPresent(
                store -> store.all().forEach(object -> list.withArray("items").add(object.json())));
        list.withArray("items");
        list.putObject("metadata").put("resourceVersion", "1");
        return list;
    }

    /** All of it is the one manager's. */
    private Response apply(FakeStore<StoredObject> store, ObjectKey key, ObjectNode object) {
        Optional<StoredObject> held = store.get(key);
        if (held.map(StoredObject::metadata).map(found -> !found.resourceVersion().equals(version(object)))
                .orElse(!version(object).isEmpty())) {
            return refused(409, "Conflict");
        }
        ObjectNode metadata = object.withObject("metadata");
        metadata.put("uid", held.map(found -> found.metadata().uid()).orElseGet(() -> "uid-" + ++uids));
        metadata.withArray("managedFields").addObject().put("manager", MANAGER);
        writes++;
        return answer(200, store.put(new StoredObject(object)).json().toString());
    }

    private static String version(JsonNode object) {
        return object.at("/metadata/resourceVersion").asText();
    }

    private Response delete(FakeStore<StoredObject> store, ObjectKey key, JsonNode preconditions) {
        Optional<StoredObject> held = store.get(key);
        if (held.isEmpty()) {
            return refused(404, "NotFound");
        }
        if (!held.get().metadata().uid().equals(preconditions.path("uid").asText())
                || !held.get().metadata().resourceVersion().equals(preconditions.path("resourceVersion").asText())) {
            return refused(409, "Conflict");
        }
        store.delete(key);
        writes++;
        return answer(200, "{}");
    }

    private static ObjectNode read(Request call) {
        try {
            return (ObjectNode) MAPPER.readTree(call.body().orElseThrow());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Response refused(int code, String reason) {
        return answer(code,
                "{\"kind\":\"Status\",\"reason\":\"" + reason + "\",\"message\":\"of the test\",\"code\":" + code
                        + ",\"details\":{\"name\":\"x\"}}");
    }

    private static Response answer(int status, String body) {
        return new Response(status, Optional.empty(),
                new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {}
}
