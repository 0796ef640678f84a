package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a suite leaves on the server, object by object: whichever backend wrote it, it must be the same. */
final class FinalObjects {
    /** Of each suite, in the order its fleets were taken down, by backend. */
    private static final Map<String, Map<String, List<Map<String, String>>>> LEFT = new ConcurrentHashMap<>();

    private FinalObjects() {}

    /** Compares with what the backend before left of the same suite, if there was one. */
    static void compare(String suite, String backend, List<JsonNode> objects) {
        Map<String, List<Map<String, String>>> all = LEFT.computeIfAbsent(suite, s -> new TreeMap<>());
        Map<String, String> mine = new TreeMap<>();
        objects.forEach(object -> mine.put(name(object), lasting(object.deepCopy()).toPrettyString()));
        List<Map<String, String>> fleets = all.getOrDefault(backend, List.of());
        all.put(backend, Stream.concat(fleets.stream(), Stream.of(mine)).toList());
        all.forEach((other, theirs) -> {
            if (theirs.size() > fleets.size()) {
                assertThat(mine).as("%s with %s and with %s", suite, backend, other)
                        .containsExactlyEntriesOf(theirs.get(fleets.size()));
            }
        });
    }

    private static String name(JsonNode object) {
        return object.path("kind").asText() + " " + object.path("metadata").path("name").asText();
    }

    /** Without what is another each time: identities, versions and times. */
    private static JsonNode lasting(JsonNode object) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp"));
        metadata.path("ownerReferences").forEach(owner -> ((ObjectNode) owner).remove("uid"));
        List<JsonNode> managers = StreamSupport.stream(metadata.path("managedFields").spliterator(), false)
                .filter(entry -> !entry.path("subresource").asText().equals("status"))
                .<JsonNode>map(entry -> ((ObjectNode) entry).without("time"))
                .sorted(Comparator.comparing(JsonNode::toString))
                .toList();
        ArrayNode sorted = metadata.putArray("managedFields");
        sorted.addAll(managers);
        ((ObjectNode) object).remove("status"); // of the suites' own making, but for conditions, which take their time
        return object;
    }
}
