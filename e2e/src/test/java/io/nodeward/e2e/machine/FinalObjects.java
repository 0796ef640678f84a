package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.backend.UsedBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.StreamSupport;

/**
 * What a suite leaves on the server, object by object: whichever backend wrote it, it must be the same. The usual backend
 * runs first, and what it leaves is kept in files.
 */
final class FinalObjects {
    private static final Path KEPT = Path.of("target", "final-objects");
    /** Fleets of each suite so far. */
    private static final Map<String, Integer> FLEETS = new ConcurrentHashMap<>();

    private FinalObjects() {}

    /** Keeps what the usual backend left; compares what another one left with that. */
    static void compare(String suite, List<JsonNode> objects) {
        Map<String, JsonNode> lasting = new TreeMap<>();
        objects.forEach(object -> lasting.put(name(object), lasting(object.deepCopy())));
        Path folder = KEPT.resolve(suite + "-" + FLEETS.merge(suite, 1, Integer::sum));
        boolean usual = UsedBackend.name().equals(UsedBackend.USUAL);
        try {
            if (usual) {
                keep(folder, lasting);
            } else {
                compare(folder, lasting);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void keep(Path folder, Map<String, JsonNode> objects) throws IOException {
        Files.createDirectories(folder);
        for (Path old : files(folder)) {
            Files.delete(old);
        }
        for (Map.Entry<String, JsonNode> object : objects.entrySet()) {
            Files.writeString(folder.resolve(object.getKey()), text(object.getValue()));
        }
    }

    private static void compare(Path folder, Map<String, JsonNode> objects) throws IOException {
        assertThat(folder).as("left by %s; run the suite with that backend first", UsedBackend.USUAL)
                .isNotEmptyDirectory();
        assertThat(files(folder)).extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrderElementsOf(objects.keySet());
        for (Map.Entry<String, JsonNode> object : objects.entrySet()) {
            assertThat(text(object.getValue())).as("%s with %s", object.getKey(), UsedBackend.name())
                    .isEqualTo(Files.readString(folder.resolve(object.getKey())));
        }
    }

    private static List<Path> files(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.toList();
        }
    }

    private static String name(JsonNode object) {
        return object.path("kind").asText() + "-" + object.path("metadata").path("name").asText() + ".json";
    }

    private static String text(JsonNode object) {
        return object.toPrettyString().replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[-0-9a-f]{22}", "uid");
    }

    /** Without what is another each time: identities, versions, times, and how often the canary was asked. */
    private static JsonNode lasting(JsonNode object) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        metadata.remove(List.of("uid", "resourceVersion", "creationTimestamp"));
        if (metadata.path("labels") instanceof ObjectNode labels) {
            labels.remove(MachineCanary.LABEL);
        }
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
