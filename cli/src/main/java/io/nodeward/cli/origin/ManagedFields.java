package io.nodeward.cli.origin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.origin.ManagedFieldsEntry;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads {@code metadata.managedFields}. What is not as servers write it says nothing. */
public final class ManagedFields {
    private static final ObjectMapper JSON = new JsonMapper();
    private static final Place UNSCHEDULABLE = Place.of("spec", "unschedulable");

    private ManagedFields() {}

    /**
     * Who owns anything that concerns taints, in the server's order.
     *
     * @param taints where the object has its lists of taints
     * @param annotations where it has annotations that concern taints
     */
    static List<ManagedFieldsEntry> of(JsonNode object, List<Place> taints, List<Place> annotations) {
        List<ManagedFieldsEntry> writers = new ArrayList<>();
        for (JsonNode entry : object.at("/metadata/managedFields")) {
            if (entry.path("subresource").asText().isEmpty()) {
                writers.add(writer(entry, taints, annotations));
            }
        }
        return writers;
    }

    /**
     * The manager that declared a field; of several the first.
     *
     * @param field path
     */
    public static Optional<String> manager(JsonNode object, String... field) {
        Place place = Place.of(field);
        return object.at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("subresource").asText().isEmpty()
                        && !place.owned(entry.path("fieldsV1")).isMissingNode())
                .map(entry -> entry.path("manager").asText()).findFirst();
    }

    private static ManagedFieldsEntry writer(JsonNode entry, List<Place> taints, List<Place> annotations) {
        JsonNode fields = entry.path("fieldsV1");
        Set<TaintId> items = new HashSet<>();
        boolean list = false;
        for (Place place : taints) {
            JsonNode owned = place.owned(fields);
            list |= owned.isObject() && (owned.isEmpty() || owned.has("."));
            owned.fieldNames().forEachRemaining(name -> item(name).ifPresent(items::add));
        }
        Set<String> names = new HashSet<>();
        annotations.forEach(place -> place.owned(fields).fieldNames().forEachRemaining(name -> {
            if (name.startsWith("f:")) {
                names.add(name.substring(2));
            }
        }));
        return new ManagedFieldsEntry(entry.path("manager").asText(), time(entry.path("time").asText()), list, items,
                names,
                !UNSCHEDULABLE.owned(fields).isMissingNode());
    }

    private static Optional<TaintId> item(String name) {
        if (!name.startsWith("k:")) {
            return Optional.empty();
        }
        try {
            JsonNode keys = JSON.readTree(name.substring(2));
            return Optional.of(new TaintId(keys.path("key").asText(), keys.path("effect").asText()));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Of a server, or of a file; empty if it is none. */
    public static Optional<Instant> time(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
