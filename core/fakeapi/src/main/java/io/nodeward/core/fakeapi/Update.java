package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What becomes of an object when somebody hands in a new state of it: preconditions, and what the server keeps. */
final class Update {
    private Update() {}

    /** The state to store, in which everything the writer may not change is as before. */
    static ObjectNode of(Kind kind, ObjectNode before, Stored current, ObjectNode given, Writer.By by) {
        requireSameObject(kind, before, given);
        ObjectNode metadata = tidy(kind, before, given);
        requireVersion(kind, current, given.path("metadata").path("resourceVersion"));
        ObjectNode old = Json.child(before, "metadata");
        boolean statusOnly = by.subresource().equals("status");
        ObjectNode after = Json.shallow(statusOnly ? before : given);
        after.set("metadata", statusOnly && kind.custom() ? old.deepCopy() : metadata);
        ObjectNode kept = Json.child(after, "metadata");
        for (String field : List.of(
                "resourceVersion", "creationTimestamp", "generation", "deletionGracePeriodSeconds", "generateName",
                "namespace")) {
            keep(kept, old, field);
        }
        if (!kept.has("uid")) {
            keep(kept, old, "uid");
        }
        if (!kept.has("deletionTimestamp")) {
            keep(kept, old, "deletionTimestamp");
        }
        if (kind.status() && !by.all()) {
            keep(after, statusOnly ? given : before, "status");
        }
        after.properties().removeIf(field -> field.getValue().isNull());
        kind.rules().prepare(after);
        return after;
    }

    private static void keep(ObjectNode after, ObjectNode from, String field) {
        JsonNode value = from.get(field);
        if (value == null) {
            after.remove(field);
        } else {
            after.set(field, value);
        }
    }

    private static void requireSameObject(Kind kind, ObjectNode before, ObjectNode given) {
        String name = Json.text(before, "metadata", "name");
        for (String field : List.of("kind", "apiVersion")) {
            String want = Json.text(before, field);
            if (!given.path(field).asText(want).equals(want)) {
                throw Refusal.invalid(kind, name, List.of(
                        Violation.invalid(field, Json.text(given, field), "must be " + want)));
            }
        }
        String other = given.path("metadata").path("name").asText(name);
        if (!other.equals(name)) {
            throw Refusal.badRequest(
                    "the name of the object (" + other + ") does not match the name on the URL (" + name + ")");
        }
        String namespace = Json.text(before, "metadata", "namespace");
        if (kind.namespaced() && !given.path("metadata").path("namespace").asText(namespace).equals(namespace)) {
            throw Refusal.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    private static ObjectNode tidy(Kind kind, ObjectNode before, ObjectNode given) {
        try {
            return Metadata.tidy(given.path("metadata"));
        } catch (IllegalArgumentException e) {
            String name = Json.text(before, "metadata", "name");
            throw Refusal.invalid(kind, name,
                    List.of(Violation.invalid("patch", given.toString(), String.valueOf(e.getMessage()))));
        }
    }

    private static void requireVersion(Kind kind, Stored current, JsonNode asked) {
        String version = asked.asText("");
        if (asked.isMissingNode() || asked.isNull() || version.isEmpty() || version.equals("0")) {
            return;
        }
        if (!asked.isTextual()) {
            throw Refusal.invalid(kind, current.name(), List.of(Violation.invalid(
                    "patch", asked.toString(), "json: cannot unmarshal into Go struct field ObjectMeta.metadata."
                            + "resourceVersion of type string")));
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw Refusal.of(500, "", "strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        if (Long.parseLong(version) != current.version()) {
            throw Refusal.modified(kind, current.name());
        }
    }

    /** Of a deletion: uid and resourceVersion, where given. */
    static void requirePreconditions(Kind kind, ObjectNode object, JsonNode preconditions) {
        requirePrecondition(kind, object, preconditions, "uid", "UID",
                ". The object might have been deleted and then recreated");
        requirePrecondition(kind, object, preconditions, "resourceVersion", "ResourceVersion",
                ". The object might have been modified");
    }

    private static void requirePrecondition(
            Kind kind, ObjectNode object, JsonNode preconditions, String field, String shown, String hint) {
        String there = Json.text(object, "metadata", field);
        String asked = preconditions.path(field).asText(there);
        if (!asked.equals(there)) {
            String type = kind.custom() ? kind.name() + "." + kind.group() : kind.name();
            throw Refusal.conflict(kind, kind.name(), type, Json.text(object, "metadata", "name"),
                    "the " + shown + " in the precondition (" + asked + ") does not match the " + shown + " in record ("
                            + there + ")" + hint);
        }
    }

    /** What a change of makes a new generation: all but metadata and status. */
    static ObjectNode spec(ObjectNode object) {
        ObjectNode spec = Json.shallow(object);
        spec.remove(List.of("metadata", "status", "kind", "apiVersion"));
        return spec;
    }
}
