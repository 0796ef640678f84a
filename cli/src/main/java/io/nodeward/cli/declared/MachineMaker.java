package io.nodeward.cli.declared;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.snapshot.OwnerReferences;
import io.nodeward.core.rules.fleet.Lineage;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What made a Machine and declares taints for it. Whoever carries those applies them, and no others: a change of one of
 * them is undone, and others on the Machine stay.
 */
public record MachineMaker(JsonNode json) {
    private static final List<String> TEMPLATE = List.of("/spec/template/spec/taints");
    private static final List<String> CONTROL_PLANE =
            List.of("/spec/machineTemplate/spec/taints", "/spec/machineTemplate/taints");

    /** The owner reference of a Machine that names one. */
    public static Optional<JsonNode> reference(JsonNode machine) {
        return machine.at("/metadata/ownerReferences").valueStream()
                .filter(reference -> Lineage.maker(List.of(OwnerReferences.read(reference))).isPresent()).findFirst();
    }

    /**
     * Its taints that do not stay on a Machine as they are edited.
     *
     * @param before what the Machine declares
     * @param after what it is to declare
     */
    public List<MachineTaint> putBack(List<MachineTaint> before, List<MachineTaint> after) {
        Set<TaintId> changed = Stream.concat(before.stream().filter(taint -> !after.contains(taint)),
                after.stream().filter(taint -> !before.contains(taint))).map(MachineTaint::id)
                .collect(Collectors.toSet());
        return (isControlPlane() ? CONTROL_PLANE : TEMPLATE).stream()
                .flatMap(path -> StoredTaints.of(json.at(path)).stream())
                .filter(taint -> changed.contains(taint.id()) && !after.contains(taint))
                .toList();
    }

    /**
     * Its annotations that declare taints and do not stay on a Machine as they are edited, by name.
     *
     * @param before the Machine's
     * @param after what they are to be
     */
    public List<String> putBack(JsonNode before, JsonNode after) {
        JsonNode own = json.at(isControlPlane() ? "/spec/machineTemplate/metadata/annotations"
                : "/spec/template/metadata/annotations");
        return own.properties().stream().filter(annotation -> annotation.getKey().startsWith(TaintAnnotations.PREFIX))
                .filter(annotation -> !Objects.equals(before.get(annotation.getKey()), after.get(annotation.getKey()))
                        && !annotation.getValue().equals(after.get(annotation.getKey())))
                .map(Map.Entry::getKey).toList();
    }

    /** What to do for all of its Machines, instead of an edit of one. */
    public String instead(JsonNode machine) {
        Optional<OwnerHome> topology = OwnerHome.topology(machine);
        if (isControlPlane()) {
            return topology.map(cluster -> "taint " + cluster.instead())
                    .orElse("edit spec.machineTemplate of " + kindAndName());
        }
        return "taint " + OwnerHome.topology(json).or(() -> topology).or(() -> OwnerHome.deployment(json))
                .map(OwnerHome::instead)
                .orElseGet(() -> json.path("kind").asText().toLowerCase(Locale.ROOT) + "/" + name());
    }

    public String kindAndName() {
        return json.path("kind").asText() + " " + name();
    }

    private String name() {
        return json.at("/metadata/name").asText();
    }

    private boolean isControlPlane() {
        return !json.path("apiVersion").asText().startsWith(ClusterApi.GROUP + "/");
    }
}
