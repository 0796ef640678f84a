package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.cli.snapshot.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** How an edited object gets into the fleet. */
@FunctionalInterface
public interface Applying {
    /** The server stores the object as it is in the file, as with {@code kubectl replace}. */
    Applying WHOLE = (edited, stored, schema, warnings) -> {
        stored.ifPresent(there -> tellApplied(there, edited, warnings));
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
     * Applies objects as {@code kubectl apply --server-side} does.
     *
     * @param force whether the manager takes over what others manage
     * @param server asks the server what it would store; empty where no server is asked, or it does not allow that
     */
    static Applying serverSide(String manager, boolean force, Function<Manifest, Optional<ObjectNode>> server) {
        return (edited, stored, schema, warnings) -> {
            Optional<ObjectNode> answer = server.apply(edited);
            answer.ifPresent(ServerSideApply::handOver);
            Optional<ObjectNode> result = answer.or(
                    () -> stored.map(there -> ServerSideApply.of(there, edited, manager, force, schema)));
            result.ifPresent(object -> stored.ifPresent(there -> nameWhatGoes(there, object)));
            return result.map(object -> new Manifest(object, edited.source(), edited.places())).orElse(edited);
        };
    }

    /** Names what goes: of Nodes and DedicatedNodes a plan keeps what an edit does not name. */
    private static void nameWhatGoes(Manifest there, ObjectNode object) {
        if (!List.of("Node", DedicatedNodes.DEFINITION.kind()).contains(there.id().kind())) {
            return;
        }
        for (String map : List.of("/metadata/labels", "/metadata/annotations")) {
            there.json().at(map).fieldNames().forEachRemaining(name -> {
                if (!object.at(map).has(name)) {
                    object.withObject(map).putNull(name);
                }
            });
        }
        if (there.id().kind().equals("Node")) {
            object.withObject("/spec").withArray("taints");
            object.withObject("/spec").putIfAbsent("unschedulable", object.booleanNode(false));
        }
    }

    private static void tellApplied(Manifest there, Manifest edited, Set<String> warnings) {
        List<String> gone = ServerSideApply.applied(there.json()).paths().stream()
                .filter(path -> FieldsV1.at(edited.json(), path).isMissingNode()
                        && !FieldsV1.at(there.json(), path).isMissingNode())
                .map(FieldsV1::text).filter(text -> text.contains("taints[") || text.contains("labels.")
                        || text.contains("annotations."))
                .sorted().toList();
        if (!gone.isEmpty()) {
            warnings.add(edited.id() + ": the plan stores the object as the file has it, without " + gone.getFirst()
                    + (gone.size() == 1 ? "" : " and " + (gone.size() - 1) + " more")
                    + ", which a manager applied server-side. --server-side plans what kubectl apply --server-side leaves");
        }
    }
}
