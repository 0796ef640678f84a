package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.rules.origin.ManagedFieldsEntry;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads {@code metadata.managedFields}. What is not as servers write it says nothing. */
public final class ManagedFields {
    private static final Place UNSCHEDULABLE = Place.of("spec", "unschedulable");

    private ManagedFields() {}

    /**
     * Who owns anything that concerns taints, in the server's order.
     *
     * @param taints where the object has its lists of taints
     * @param annotations where it has annotations that concern taints
     */
    static List<ManagedFieldsEntry> of(JsonNode object, List<Place> taints, List<Place> annotations) {
        return entries(object).map(entry -> writer(entry, taints, annotations)).toList();
    }

    /**
     * The manager that declared a field; of several the first.
     *
     * @param field path
     */
    public static Optional<String> manager(JsonNode object, String... field) {
        Place place = Place.of(field);
        return entries(object).filter(entry -> !place.owned(fields(entry)).isEmpty())
                .map(entry -> entry.path("manager").asText()).findFirst();
    }

    private static Stream<JsonNode> entries(JsonNode object) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("subresource").asText().isEmpty());
    }

    private static ManagedFieldsEntry writer(JsonNode entry, List<Place> taints, List<Place> annotations) {
        FieldSet fields = fields(entry);
        boolean list = taints.stream().anyMatch(place -> place.owned(fields).here());
        return new ManagedFieldsEntry(entry.path("manager").asText(), time(entry.path("time").asText()), list,
                steps(fields, taints, "k:").map(ManagedFields::item).collect(Collectors.toSet()),
                steps(fields, annotations, "f:").map(step -> step.substring(2)).collect(Collectors.toSet()),
                !UNSCHEDULABLE.owned(fields).isEmpty());
    }

    private static FieldSet fields(JsonNode entry) {
        return Objects.requireNonNullElse(FieldSet.parse(entry.path("fieldsV1")), FieldSet.NONE);
    }

    private static Stream<String> steps(FieldSet fields, List<Place> places, String kind) {
        return places.stream().flatMap(place -> place.owned(fields).steps().stream())
                .filter(step -> step.startsWith(kind));
    }

    private static TaintId item(String step) {
        ObjectNode keys = FieldSet.keys(step);
        return new TaintId(keys.path("key").asText(), keys.path("effect").asText());
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
