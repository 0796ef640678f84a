package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.validation.MachineTaintRules;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An edited Node, taken as it would be applied: a field that it does not carry stays as it is, and so does the status. */
final class NodeEdit {
    private static final List<String> MAPS = List.of("labels", "annotations");
    /** Fields of the metadata that servers set, or that say which Node it is. */
    private static final Set<String> SERVERS = Set.of("name", "namespace", "labels", "annotations", "uid",
            "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink");
    private static final Set<String> PLANNED = Set.of("taints", "unschedulable");
    /** The node lifecycle controller keeps it on Nodes that are cordoned, and on no others. */
    private static final TaintId CORDON = new TaintId("node.kubernetes.io/unschedulable", "NoSchedule");

    private final Manifest there;
    private final Manifest edited;
    private final Set<String> warnings;
    private final ObjectNode node;

    private NodeEdit(Manifest there, Manifest edited, Set<String> warnings) {
        this.there = there;
        this.edited = edited;
        this.warnings = warnings;
        this.node = there.json().deepCopy();
    }

    /**
     * The Node as it is afterwards.
     *
     * @param warnings takes what of the edit is not planned, or does not last
     * @throws IllegalArgumentException naming the field that no server would store
     */
    static Manifest of(Manifest there, Manifest edited, Set<String> warnings) {
        NodeFields.check(edited);
        NodeEdit edit = new NodeEdit(there, edited, warnings);
        MAPS.forEach(edit::merge);
        edit.spec();
        edit.cordon();
        edit.tellOthers("spec", PLANNED);
        edit.tellOthers("metadata", SERVERS);
        edit.tellUndone();
        return new Manifest(edit.node, edited.source());
    }

    private void merge(String map) {
        for (Map.Entry<String, JsonNode> entry : edited.json().at("/metadata/" + map).properties()) {
            ObjectNode fields = node.withObject("/metadata/" + map);
            if (entry.getValue().isNull()) {
                fields.remove(entry.getKey());
            } else {
                fields.set(entry.getKey(), entry.getValue());
            }
        }
    }

    private void spec() {
        JsonNode spec = edited.json().path("spec");
        PLANNED.stream().filter(spec::has).forEach(field -> node.withObject("/spec").set(field, spec.path(field)));
    }

    private void cordon() {
        boolean before = there.json().at("/spec/unschedulable").asBoolean();
        boolean after = node.at("/spec/unschedulable").asBoolean();
        boolean had = ids(there.json()).contains(CORDON);
        boolean has = ids(node).contains(CORDON);
        if (after && !has && (had || !before)) {
            taints().addObject().put("key", CORDON.key()).put("effect", CORDON.effect());
        } else if (!after && has && (before || !had)) {
            ArrayNode taints = taints();
            for (int i = taints.size() - 1; i >= 0; i--) {
                if (id(taints.path(i)).equals(CORDON)) {
                    taints.remove(i);
                }
            }
        }
    }

    /** A list of its own: the one that is there may be shared. */
    private ArrayNode taints() {
        ArrayNode taints = node.withObject("/spec").putArray("taints");
        JsonNode before = edited.json().at("/spec").has("taints") ? edited.json() : there.json();
        before.at("/spec/taints").forEach(taints::add);
        return taints;
    }

    private void tellOthers(String part, Set<String> planned) {
        for (Map.Entry<String, JsonNode> field : edited.json().path(part).properties()) {
            if (!planned.contains(field.getKey())
                    && !field.getValue().equals(there.json().path(part).path(field.getKey()))) {
                warnings.add(there.id() + ": what the edit of " + part + '.' + field.getKey() + " does is not planned");
            }
        }
    }

    private void tellUndone() {
        Set<TaintId> before = ids(there.json());
        Set<TaintId> after = ids(node);
        Set<TaintId> changed = new LinkedHashSet<>(before);
        changed.addAll(after);
        changed.removeIf(id -> before.contains(id) && after.contains(id) || id.equals(CORDON)
                || !MachineTaintRules.isLifecycle(id.key()));
        changed.forEach(id -> warnings.add(there.id() + ": " + id
                + " is set and removed by another controller, which may undo this edit"));
    }

    private static Set<TaintId> ids(JsonNode node) {
        Set<TaintId> ids = new LinkedHashSet<>();
        node.at("/spec/taints").forEach(taint -> ids.add(id(taint)));
        return ids;
    }

    private static TaintId id(JsonNode taint) {
        return new TaintId(taint.path("key").asText(), taint.path("effect").asText());
    }
}
