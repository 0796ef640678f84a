package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.snapshot.Manifest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a server stores once a manager applies an object ({@code kubectl apply --server-side}), as far as {@code metadata.managedFields} of
 * the stored object tell. What the manager applied before and leaves out now goes, unless another manager has it.
 */
final class ServerSideApply {
    /** kubectl takes its fields over when it applies server-side. */
    private static final String CLIENT_SIDE = "kubectl-client-side-apply";
    private static final String KUBECTL = "kubectl";
    private static final Set<String> APPLIED_METADATA = Set.of("name", "namespace", "labels", "annotations");
    private static final List<String> ROOT = List.of();

    private final Manifest stored;
    private final Manifest edited;
    private final String manager;
    private final JsonNode schema;
    private final Set<List<String>> values = new HashSet<>();
    private final Set<List<String>> containers = new HashSet<>();

    private ServerSideApply(Manifest stored, Manifest edited, String manager, JsonNode schema) {
        this.stored = stored;
        this.edited = edited;
        this.manager = manager;
        this.schema = schema;
    }

    /**
     * Returns the object as the server stores it.
     *
     * @param stored with its managedFields
     * @param edited what is applied
     * @param force whether the manager takes over what others manage
     * @param schema of the kind in this version; missing for a kind whose lists are all atomic
     * @throws IllegalArgumentException naming the fields that others manage, or what is not known
     */
    static ObjectNode of(Manifest stored, Manifest edited, String manager, boolean force, JsonNode schema) {
        if (managedFields(stored.json()).findAny().isEmpty()) {
            throw edited.error("nobody can tell what the apply leaves, as the object in the fleet has no"
                    + " metadata.managedFields: export it with --show-managed-fields, or plan with the cluster");
        }
        return new ServerSideApply(stored, edited, manager, schema).result(force);
    }

    /**
     * Takes off an object what kubectl applied client-side before, and leaves out now: kubectl hands those fields over.
     *
     * @param object as the server stores it, with managedFields, where kubectl has not handed them over yet
     */
    static void handOver(ObjectNode object) {
        fields(object, ServerSideApply::isClientSide)
                .removeFrom(object, fields(object, entry -> !isClientSide(entry)));
    }

    /** Returns the fields of an object that managers applied server-side. */
    static FieldsV1 applied(JsonNode object) {
        return fields(object, entry -> entry.path("operation").asText().equals("Apply"));
    }

    private ObjectNode result(boolean force) {
        ObjectNode applied = edited.json().deepCopy();
        applied.remove(List.of("apiVersion", "kind", "status"));
        applied.withObject("/metadata").retain(APPLIED_METADATA).remove(List.of("name", "namespace"));
        ObjectNode merged = (ObjectNode) merge(stored.json(), applied, schema, ROOT);
        if (!force) {
            requireNoConflict(merged);
        }
        FieldsV1 now = new FieldsV1(Stream.concat(values.stream(), containers.stream()).collect(Collectors.toSet()));
        fields(stored.json(), this::isOurs).removeFrom(merged,
                now.with(fields(stored.json(), entry -> !isOurs(entry))));
        return merged;
    }

    private static Stream<JsonNode> managedFields(JsonNode object) {
        return object.at("/metadata/managedFields").valueStream();
    }

    private static FieldsV1 fields(JsonNode object, Predicate<JsonNode> which) {
        return managedFields(object).filter(which).map(entry -> FieldsV1.of(entry.path("fieldsV1")))
                .reduce(new FieldsV1(Set.of()), FieldsV1::with);
    }

    private static boolean isClientSide(JsonNode entry) {
        return entry.path("manager").asText().equals(CLIENT_SIDE) && entry.path("operation").asText().equals("Update")
                && entry.path("subresource").asText().isEmpty();
    }

    private boolean isOurs(JsonNode entry) {
        return isClientSide(entry) || entry.path("manager").asText().equals(manager)
                && entry.path("operation").asText().equals("Apply") && entry.path("subresource").asText().isEmpty();
    }

    private void requireNoConflict(JsonNode merged) {
        List<String> conflicts = managedFields(stored.json()).filter(this::mayConflict)
                .flatMap(entry -> FieldsV1.of(entry.path("fieldsV1")).paths().stream()
                        .filter(values::contains)
                        .filter(path -> !FieldsV1.at(stored.json(), path).equals(FieldsV1.at(merged, path)))
                        .map(path -> "conflict with \"" + entry.path("manager").asText() + "\": "
                                + FieldsV1.text(path)))
                .sorted().toList();
        if (!conflicts.isEmpty()) {
            throw edited.error("the server would refuse to apply it: " + String.join("; ", conflicts)
                    + ". --force-conflicts takes over what others manage");
        }
    }

    private boolean mayConflict(JsonNode entry) {
        return isClientSide(entry) ? !manager.equals(KUBECTL) : !isOurs(entry);
    }

    private JsonNode merge(JsonNode there, JsonNode applied, JsonNode at, List<String> path) {
        if (applied.isObject() && !at.path("x-kubernetes-map-type").asText().equals("atomic")) {
            return mergeFields(there, applied, at, path);
        }
        if (applied.isArray() && at.path("x-kubernetes-list-type").asText().equals("map")) {
            return mergeItems(there, applied, at, path);
        }
        if (applied.isArray() && at.path("x-kubernetes-list-type").asText().equals("set")) {
            return mergeSet(there, applied, path);
        }
        values.add(path);
        return applied;
    }

    private ObjectNode mergeFields(JsonNode there, JsonNode applied, JsonNode at, List<String> path) {
        ObjectNode merged = there.isObject() ? there.deepCopy() : JsonNodeFactory.instance.objectNode();
        if (applied.isEmpty()) {
            containers.add(path);
        }
        for (Map.Entry<String, JsonNode> field : applied.properties()) {
            String name = field.getKey();
            if (field.getValue().isNull()) { // a server drops it
                continue;
            }
            List<String> child = FieldsV1.child(path, FieldsV1.field(name));
            JsonNode known = at.path("properties").path(name);
            merged.set(name, merge(there.path(name), field.getValue(),
                    known.isMissingNode() ? at.path("additionalProperties") : known, child));
        }
        return merged;
    }

    private ArrayNode mergeItems(JsonNode there, JsonNode applied, JsonNode at, List<String> path) {
        List<JsonNode> merged = new ArrayList<>(there.valueStream().toList());
        if (applied.isEmpty()) {
            containers.add(path);
        }
        for (JsonNode item : applied) {
            ObjectNode keys = JsonNodeFactory.instance.objectNode();
            at.path("x-kubernetes-list-map-keys").forEach(key -> keys.set(key.asText(), item.path(key.asText())));
            List<String> child = FieldsV1.child(path, FieldsV1.item(keys));
            containers.add(child);
            JsonNode before = FieldsV1.at(there, List.of(child.getLast()));
            JsonNode after = merge(before, item, at.path("items"), child);
            if (before.isMissingNode()) {
                merged.add(after);
            } else {
                merged.replaceAll(each -> each.equals(before) ? after : each);
            }
        }
        return JsonNodeFactory.instance.arrayNode().addAll(merged);
    }

    private ArrayNode mergeSet(JsonNode there, JsonNode applied, List<String> path) {
        Set<JsonNode> merged = new LinkedHashSet<>(there.valueStream().toList());
        applied.forEach(value -> {
            merged.add(value);
            containers.add(FieldsV1.child(path, FieldsV1.value(value)));
        });
        return JsonNodeFactory.instance.arrayNode().addAll(merged);
    }
}
