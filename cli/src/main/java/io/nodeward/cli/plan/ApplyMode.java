package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.apply.Difference;
import io.nodeward.core.apply.Shape;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** How a client sends an edited object to the server, which decides what the server stores. */
@FunctionalInterface
public interface ApplyMode {
    /** The plan takes the object as it is in the file. */
    ApplyMode WHOLE = (edited, stored, schema, warnings) -> {
        stored.ifPresent(there -> tellApplied(there, edited, schema, warnings));
        return edited;
    };

    /**
     * Returns the object as the server stores it.
     *
     * @param stored the object in the fleet, with its managedFields if these are known
     * @param schema of the kind in this version; missing if it is not known
     * @throws IllegalArgumentException naming the object and why the server would refuse it, or what is not known
     */
    Manifest applied(Manifest edited, Optional<Manifest> stored, JsonNode schema, Set<String> warnings);

    /**
     * Returns the mode of {@code kubectl apply --server-side}.
     *
     * @param force whether the manager takes over what others manage
     * @param server asks the server what it would store; empty where it is not asked, or it does not allow that
     */
    static ApplyMode serverSide(String manager, boolean force,
            BiFunction<Manifest, Set<String>, Optional<ObjectNode>> server) {
        return (edited, stored, schema, warnings) -> {
            if (!isPlanned(edited.id()) || stored.isEmpty() && !isGroup(edited.id())) {
                return edited; // a plan refuses it, or takes it as it is
            }
            if (isNode(edited.id())) {
                NodeFields.check(edited);
            }
            stored.filter(there -> !there.version().equals(edited.version())).ifPresent(there -> {
                throw edited
                        .error("has apiVersion " + edited.json().path("apiVersion").asText() + ", and the fleet has "
                                + there.json().path("apiVersion").asText() + ": apply that version");
            });
            stored.ifPresent(there -> ServerSideApply.tellHandedOver(there, warnings));
            Optional<ObjectNode> result = server.apply(edited, warnings).or(
                    () -> stored.map(there -> ServerSideApply.of(there, edited, manager, force, schema)));
            result.ifPresent(object -> stored.ifPresent(there -> nameRemoved(there, object)));
            return result.map(object -> new Manifest(object, edited.source(), edited.places())).orElse(edited);
        };
    }

    private static boolean isPlanned(Manifest.Id id) {
        return isNode(id) || isGroup(id) || id.group().equals(ClusterApi.GROUP) && Edit.isOwnerOrCluster(id.kind());
    }

    private static boolean isNode(Manifest.Id id) {
        return id.group().isEmpty() && id.kind().equals("Node");
    }

    private static boolean isGroup(Manifest.Id id) {
        return id.kind().equals(DedicatedNodes.DEFINITION.kind());
    }

    /** Sets to null what the server removes: a plan keeps what an edit does not name. */
    private static void nameRemoved(Manifest there, ObjectNode object) {
        if (isNode(there.id()) || isGroup(there.id())) {
            List.of("/metadata/labels", "/metadata/annotations")
                    .forEach(map -> there.json().at(map).fieldNames().forEachRemaining(name -> {
                        if (!object.at(map).has(name)) {
                            object.withObject(map).putNull(name);
                        }
                    }));
        } else if (there.json().at("/metadata/annotations").has(TaintAnnotations.CONFIRMED)) {
            object.withObject("/metadata/annotations").putIfAbsent(TaintAnnotations.CONFIRMED, object.nullNode());
        }
        if (isNode(there.id())) {
            object.withObject("/spec").withArray("taints");
            object.withObject("/spec").putIfAbsent("unschedulable", object.booleanNode(false));
        } else if (!isGroup(there.id())) {
            nameRemoved(there.json().path("spec"), object.path("spec"), there.id().kind().equals("Cluster"), false);
        }
    }

    /** @param variable whether it is of a topology: elsewhere, a list of taints that is missing is an empty one */
    private static void nameRemoved(JsonNode before, JsonNode after, boolean deep, boolean variable) {
        if (after instanceof ObjectNode object) {
            before.properties().stream().filter(field -> variable || !field.getKey().equals("taints"))
                    .forEach(field -> {
                        if (!field.getValue().isBoolean() || field.getValue().asBoolean()) { // without it, it is false too
                            object.putIfAbsent(field.getKey(), object.nullNode());
                        }
                        if (deep) {
                            nameRemoved(field.getValue(), object.path(field.getKey()), true,
                                    variable || field.getKey().equals("variables"));
                        }
                    });
        } else if (after instanceof ArrayNode list) {
            inOrderOf(before, list);
            for (int i = 0; i < list.size() && list.size() == before.size(); i++) {
                nameRemoved(before.path(i), list.path(i), deep, variable);
            }
        }
    }

    /** Puts items that have names in the order in which they were: the order of a list that is merged by names tells nothing. */
    private static void inOrderOf(JsonNode before, ArrayNode list) {
        Map<String, Integer> places = new HashMap<>();
        before.forEach(item -> places.putIfAbsent(item.path("name").asText(), places.size()));
        List<JsonNode> items = list.valueStream().sorted(Comparator.comparingInt(
                item -> places.getOrDefault(item.path("name").asText(), places.size()))).toList();
        list.removeAll().addAll(items);
    }

    /** Tells which taints of managers that apply server-side the plan takes away from a Machine, or from a template of Machines. */
    private static void tellApplied(Manifest there, Manifest edited, JsonNode schema, Set<String> warnings) {
        if (!there.id().group().equals(ClusterApi.GROUP)) {
            return;
        }
        List<String> gone = Difference.between(Shape.of(schema), there.json(), edited.json()).gone()
                .and(ServerSideApply.applied(there.json())).within("taints").shown().stream()
                .filter(field -> field.matches("(?s).*\\.taints\\[[^\\[]*]")).sorted().toList();
        if (!gone.isEmpty()) {
            warnings.add(edited.id() + ": a manager applied " + gone.getFirst()
                    + (gone.size() == 1 ? "" : " and " + (gone.size() - 1) + " more")
                    + " server-side, and the file does not have it, so the plan takes it away. kubectl apply --server-side"
                    + " may leave it: plan with --server-side");
        }
    }
}
