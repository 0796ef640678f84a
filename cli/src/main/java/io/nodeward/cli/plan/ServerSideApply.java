package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.Words;
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
public final class ServerSideApply {
    /** The field by which a server knows who applied client-side; its names are those of managedFields. */
    private static final List<String> LAST_APPLIED = Stream.of("f:metadata", "f:annotations",
            "f:kubectl.kubernetes.io/last-applied-configuration").map(FieldsV1::field).toList();
    private static final String KUBECTL = "kubectl";
    private static final Set<String> APPLIED_METADATA = Set.of("name", "namespace", "labels", "annotations");
    private static final List<String> ROOT = List.of();
    private static final int SHOWN = 5;

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
            throw edited.error("the object in the fleet has no metadata.managedFields, so the command cannot tell what"
                    + " the apply leaves: export the fleet with --show-managed-fields, or plan with the cluster");
        }
        if (schema.isMissingNode() && !edited.id().group().isEmpty()) {
            throw edited.error("the command does not know the lists of this version of the kind: plan with its CRD");
        }
        return new ServerSideApply(stored, edited, manager, schema).result(force);
    }

    /** Tells that kubectl and Flux take fields over before they apply: what they remove then is not planned. */
    static void tellHandedOver(Manifest stored, Set<String> warnings) {
        List<String> others = managedFields(stored.json()).filter(entry -> isOf(entry, "Update"))
                .map(entry -> entry.path("manager").asText()).filter(name -> name.startsWith(KUBECTL)).distinct()
                .sorted()
                .toList();
        if (!others.isEmpty()) {
            warnings.add(stored.id() + ": " + String.join(", ", others)
                    + " set some of its fields. Where kubectl or Flux"
                    + " takes these over before it applies, it removes those that the file leaves out; the plan keeps them");
        }
    }

    /** Returns the fields of an object that managers applied server-side. */
    static FieldsV1 applied(JsonNode object) {
        return fields(object, entry -> isOf(entry, "Apply"));
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

    private static boolean isOf(JsonNode entry, String operation) {
        return entry.path("operation").asText().equals(operation) && entry.path("subresource").asText().isEmpty();
    }

    private boolean isOurs(JsonNode entry) {
        return entry.path("manager").asText().equals(manager) && isOf(entry, "Apply");
    }

    /** A server lets kubectl take over what kubectl applied client-side in the same version. */
    private boolean mayConflict(JsonNode entry) {
        boolean isClientSide =
                isOf(entry, "Update") && entry.path("apiVersion").equals(edited.json().path("apiVersion"))
                        && !FieldsV1.at(entry.path("fieldsV1"), LAST_APPLIED).isMissingNode();
        return !isOurs(entry) && !(isClientSide && manager.equals(KUBECTL));
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
            throw edited.error(refused(Words.some(conflicts, SHOWN)));
        }
    }

    /** Returns how the command tells of a conflict. */
    public static String refused(String conflicts) {
        return "the server would refuse to apply it: " + conflicts
                + ". --force-conflicts takes over what others manage";
    }

    private JsonNode merge(JsonNode there, JsonNode applied, JsonNode type, List<String> path) {
        if (applied.isObject() && !type.path("x-kubernetes-map-type").asText().equals("atomic")) {
            return mergeFields(there, applied, type, path);
        }
        if (applied.isArray() && type.path("x-kubernetes-list-type").asText().equals("map")) {
            return mergeItems(there, applied, type, path);
        }
        if (applied.isArray() && type.path("x-kubernetes-list-type").asText().equals("set")) {
            return mergeSet(there, applied, path);
        }
        values.add(path);
        return applied;
    }

    private ObjectNode mergeFields(JsonNode there, JsonNode applied, JsonNode type, List<String> path) {
        ObjectNode merged = there.isObject() ? there.deepCopy() : JsonNodeFactory.instance.objectNode();
        if (applied.isEmpty()) {
            containers.add(path);
        }
        for (Map.Entry<String, JsonNode> field : applied.properties()) {
            String name = field.getKey();
            if (field.getValue().isNull()) {
                throw edited.error(FieldsV1.text(FieldsV1.child(path, FieldsV1.field(name))).substring(1)
                        + ": is null, of which the command cannot tell what the server makes: remove the field, or plan"
                        + " with the cluster");
            }
            List<String> child = FieldsV1.child(path, FieldsV1.field(name));
            JsonNode known = type.path("properties").path(name);
            merged.set(name, merge(there.path(name), field.getValue(),
                    known.isMissingNode() ? type.path("additionalProperties") : known, child));
        }
        return merged;
    }

    private ArrayNode mergeItems(JsonNode there, JsonNode applied, JsonNode type, List<String> path) {
        List<JsonNode> merged = new ArrayList<>(there.valueStream().toList());
        if (applied.isEmpty()) {
            containers.add(path);
        }
        for (JsonNode item : applied) {
            ObjectNode keys = JsonNodeFactory.instance.objectNode();
            type.path("x-kubernetes-list-map-keys").forEach(key -> keys.set(key.asText(), item.path(key.asText())));
            List<String> child = FieldsV1.child(path, FieldsV1.item(keys));
            containers.add(child);
            JsonNode before = FieldsV1.at(there, List.of(child.getLast()));
            JsonNode after = merge(before, item, type.path("items"), child);
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
