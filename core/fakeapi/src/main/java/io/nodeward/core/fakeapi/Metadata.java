package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The metadata every object has but managedFields: its fields, and what is allowed in them. */
final class Metadata {
    private static final List<String> FIELDS = List.of(
            "name", "generateName", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp",
            "deletionTimestamp", "deletionGracePeriodSeconds", "labels", "annotations", "ownerReferences",
            "finalizers");
    /** With those that are kept elsewhere, or no longer. */
    static final List<String> KNOWN =
            Stream.concat(FIELDS.stream(), Stream.of("managedFields", "selfLink")).toList();
    private static final int ANNOTATIONS_LIMIT = 256 * 1024;

    private Metadata() {}

    /**
     * Known fields only, in the usual order, without empty ones, in an object of its own.
     *
     * @throws IllegalArgumentException if one has the wrong type; the message says which
     */
    static ObjectNode tidy(JsonNode given) {
        ObjectNode tidy = Json.object();
        for (String field : FIELDS) {
            JsonNode value = given.path(field);
            if (field.equals("labels") || field.equals("annotations")) {
                value = texts(field, value);
            } else if (!value.isMissingNode() && !value.isNull() && value.isArray() != isList(field)) {
                throw new IllegalArgumentException(
                        "cannot unmarshal into Go struct field ObjectMeta.metadata." + field);
            }
            boolean empty = value.isContainerNode() ? value.isEmpty() : value.asText().isEmpty();
            if (!value.isNull() && !empty) {
                tidy.set(field, value);
            }
        }
        return tidy;
    }

    private static boolean isList(String field) {
        return Set.of("ownerReferences", "finalizers").contains(field);
    }

    private static JsonNode texts(String field, JsonNode given) {
        if (given.isMissingNode() || given.isNull()) {
            return given;
        }
        ObjectNode texts = Json.object();
        requireType(field, given, given.isObject());
        given.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            requireType(field, value, value.isTextual() || value.isNull());
            texts.put(entry.getKey(), value.isNull() ? "" : value.asText());
        });
        return texts;
    }

    private static void requireType(String field, JsonNode value, boolean right) {
        if (!right) {
            throw new IllegalArgumentException("json: cannot unmarshal "
                    + value.getNodeType().name().toLowerCase(Locale.ROOT) + " into Go struct field ObjectMeta.metadata."
                    + field + " of type string");
        }
    }

    static List<Violation> check(ObjectNode metadata) {
        List<Violation> wrong = new ArrayList<>();
        String name = Json.text(metadata, "name");
        if (name.isEmpty()) {
            wrong.add(new Violation(
                    "FieldValueRequired", "Required value: name or generateName is required", "metadata.name"));
        } else {
            Names.subdomain(name).forEach(w -> wrong.add(Violation.invalid("metadata.name", name, w)));
        }
        Json.texts(metadata.path("labels")).forEach((key, value) -> {
            Names.key(key).forEach(w -> wrong.add(Violation.invalid("metadata.labels", key, w)));
            Names.value(value).forEach(w -> wrong.add(Violation.invalid("metadata.labels", value, w)));
        });
        Map<String, String> annotations = Json.texts(metadata.path("annotations"));
        annotations.keySet().forEach(key -> Names.key(key.toLowerCase(Locale.ROOT))
                .forEach(w -> wrong.add(Violation.invalid("metadata.annotations", key, w))));
        if (annotations.entrySet().stream().mapToLong(e -> e.getKey().length() + e.getValue().length())
                .sum() > ANNOTATIONS_LIMIT) {
            wrong.add(new Violation(
                    "FieldValueTooLong", "Too long: may not be more than 262144 bytes", "metadata.annotations"));
        }
        wrong.addAll(finalizers(metadata));
        return wrong;
    }

    private static List<Violation> finalizers(ObjectNode metadata) {
        List<Violation> wrong = new ArrayList<>();
        JsonNode finalizers = metadata.path("finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.path(i).asText();
            String field = "metadata.finalizers[" + i + "]";
            Names.key(finalizer).forEach(w -> wrong.add(Violation.invalid(field, finalizer, w)));
            if (!finalizer.contains("/") && !Set.of("orphan", "foregroundDeletion", "kubernetes").contains(finalizer)) {
                wrong.add(Violation.invalid(
                        field, finalizer, "name is neither a standard finalizer name nor is it fully qualified"));
            }
        }
        return wrong;
    }

    /** What an update may not do to metadata. */
    static List<Violation> checkUpdate(ObjectNode after, ObjectNode before) {
        List<Violation> wrong = new ArrayList<>();
        for (String field : List.of("uid", "deletionTimestamp")) {
            if (!after.path(field).equals(before.path(field))) {
                wrong.add(Violation.invalid("metadata." + field, Json.text(after, field), "field is immutable"));
            }
        }
        List<String> added = new ArrayList<>();
        after.path("finalizers").forEach(f -> added.add(f.asText()));
        before.path("finalizers").forEach(f -> added.remove(f.asText()));
        if (before.has("deletionTimestamp") && !added.isEmpty()) {
            wrong.add(Violation.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{\""
                            + String.join("\", \"", added) + "\"}"));
        }
        return wrong;
    }
}
