package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.apply.Applied;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.apply.ManagedFieldsEntry;
import io.nodeward.core.apply.Ownership;
import io.nodeward.core.apply.Shape;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a server stores once a manager applies an object ({@code kubectl apply --server-side}), as far as {@code metadata.managedFields} of
 * the stored object tell. What the manager applied before and leaves out now goes, unless another manager has it.
 */
public final class ServerSideApply {
    /** The field by which a server knows who applied client-side. */
    private static final List<String> LAST_APPLIED =
            List.of("metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration");
    private static final String KUBECTL = "kubectl";
    private static final Set<String> APPLIED_METADATA = Set.of("name", "namespace", "labels", "annotations");
    private static final int SHOWN = 5;

    private ServerSideApply() {}

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
        Ownership owners = owners(stored.json());
        if (owners.owners().isEmpty()) {
            throw edited.error("the object in the fleet has no metadata.managedFields, so the command cannot tell what"
                    + " the apply leaves: export the fleet with --show-managed-fields, or plan with the cluster");
        }
        if (schema.isMissingNode() && !edited.id().group().isEmpty()) {
            throw edited.error("the command does not know the lists of this version of the kind: plan with its CRD");
        }
        ObjectNode wanted = edited.json().deepCopy().remove(List.of("apiVersion", "kind", "status"));
        wanted.withObject("/metadata").retain(APPLIED_METADATA);
        Shape.Fields shape = Shape.of(schema);
        requireNoNull(edited, shape, wanted, "");
        ManagedFieldsEntry applier = new ManagedFieldsEntry(manager, true, version(edited), "", "", FieldSet.NONE);
        Applied applied = Applied.of(shape, stored.json(), owners, wanted, applier, List.of());
        if (!force) {
            requireNoConflict(edited, applied.conflicts().stream().filter(other -> !manager.equals(KUBECTL)
                    || owners.find(other).filter(entry -> isClientSide(entry, edited)).isEmpty()));
        }
        return applied.object().deepCopy();
    }

    private static void requireNoConflict(Manifest edited, Stream<ManagedFieldsEntry> others) {
        List<String> conflicts = others.flatMap(other -> other.fields().shown().stream()
                .map(field -> "conflict with \"" + other.manager() + "\": " + field)).sorted().toList();
        if (!conflicts.isEmpty()) {
            throw edited.error(refused(Words.some(conflicts, SHOWN)));
        }
    }

    /** Tells that kubectl and Flux take fields over before they apply: what they remove then is not planned. */
    static void tellHandedOver(Manifest stored, Set<String> warnings) {
        List<String> others = ofObject(stored.json())
                .filter(entry -> !entry.applied() && entry.manager().startsWith(KUBECTL))
                .map(ManagedFieldsEntry::manager).distinct().sorted().toList();
        if (!others.isEmpty()) {
            warnings.add(stored.id() + ": " + String.join(", ", others)
                    + " set some of its fields. Where kubectl or Flux"
                    + " takes these over before it applies, it removes those that the file leaves out; the plan keeps them");
        }
    }

    /** Returns the fields of an object that managers applied server-side. */
    static FieldSet applied(JsonNode object) {
        return ofObject(object).filter(ManagedFieldsEntry::applied).map(ManagedFieldsEntry::fields)
                .reduce(FieldSet.NONE, FieldSet::plus);
    }

    /** Returns how the command tells of a conflict. */
    public static String refused(String conflicts) {
        return "the server would refuse to apply it: " + conflicts
                + ". --force-conflicts takes over what others manage";
    }

    /** Entries that no server writes say nothing. */
    private static Ownership owners(JsonNode object) {
        return Ownership.of(object.at("/metadata/managedFields").valueStream()
                .flatMap(entry -> Stream.ofNullable(ManagedFieldsEntry.parse(entry))).toList());
    }

    private static Stream<ManagedFieldsEntry> ofObject(JsonNode object) {
        return owners(object).owners().stream().filter(entry -> entry.subresource().isEmpty());
    }

    private static String version(Manifest manifest) {
        return manifest.json().path("apiVersion").asText();
    }

    /** A server lets kubectl take over what kubectl applied client-side in the same version. */
    private static boolean isClientSide(ManagedFieldsEntry entry, Manifest edited) {
        return !entry.applied() && entry.subresource().isEmpty() && entry.apiVersion().equals(version(edited))
                && !entry.fields().at(LAST_APPLIED).isEmpty();
    }

    private static void requireNoNull(Manifest edited, Shape shape, JsonNode value, String path) {
        switch (shape.on(value)) {
            case Shape.Fields fields -> value.properties().forEach(field -> {
                String child = path + "." + field.getKey();
                if (field.getValue().isNull()) {
                    throw edited
                            .error(child.substring(1) + ": is null, of which the command cannot tell what the server"
                                    + " makes: remove the field, or plan with the cluster");
                }
                requireNoNull(edited, fields.of(field.getKey()), field.getValue(), child);
            });
            case Shape.Items items -> value.forEach(item -> requireNoNull(edited, items.item(), item,
                    path + FieldSet.shown(String.valueOf(items.step(item)))));
            case Shape.Whole whole -> {}
        }
    }
}
