package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.cli.declared.GivenTaints;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.Violation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether an edited Cluster differs in nothing but taints that are planned, and a server would store these. */
final class TopologyFields {
    private static final String CONTROL_PLANE = "/spec/topology/controlPlane";
    private static final String DEPLOYMENTS = "/spec/topology/workers/machineDeployments";
    private static final List<String> GROUPS = List.of(DEPLOYMENTS, "/spec/topology/workers/machinePools");
    private static final String TAINTS = "taints";
    private static final String ANNOTATIONS = "/metadata/annotations";

    private TopologyFields() {}

    /** @throws IllegalArgumentException naming file, Cluster and field */
    static void check(Manifest there, Manifest edited) {
        validate(edited, CONTROL_PLANE, edited.json().at(CONTROL_PLANE));
        for (int i = 0; i < edited.json().at(DEPLOYMENTS).size(); i++) {
            validate(edited, DEPLOYMENTS + '[' + i + ']', edited.json().at(DEPLOYMENTS).path(i));
        }
        Optional<String> other = differs("spec", bare(there), bare(edited)).or(() -> missing(there, edited));
        if (other.isPresent()) {
            throw edited.error(other.get() + ": of a Cluster the taints of its topology's control plane and"
                    + " MachineDeployments are planned, and what else the edit does is not");
        }
    }

    private static void validate(Manifest edited, String path, JsonNode declaring) {
        List<Violation> faults = MachineTaintRules.validate(path.substring(1).replace('/', '.') + '.' + TAINTS, true,
                GivenTaints.of(declaring.path(TAINTS)));
        if (!faults.isEmpty()) {
            throw edited.error(faults.get(0).field() + ": " + faults.get(0).message());
        }
    }

    /** The spec without what is planned. */
    private static JsonNode bare(Manifest cluster) {
        ObjectNode copy = cluster.json().deepCopy();
        bare(copy.at(CONTROL_PLANE));
        copy.at(DEPLOYMENTS).forEach(TopologyFields::bare);
        return copy.path("spec");
    }

    private static void bare(JsonNode declaring) {
        if (declaring instanceof ObjectNode object) {
            object.remove(TAINTS);
        }
    }

    /** The first field that the edit carries and changes; what it does not carry stays, as servers fill in a lot. */
    private static Optional<String> differs(String path, JsonNode before, JsonNode edited) {
        if (edited.isObject() && (before.isObject() || edited.isEmpty())) {
            for (Map.Entry<String, JsonNode> field : edited.properties()) {
                Optional<String> deeper =
                        differs(path + '.' + field.getKey(), before.path(field.getKey()), field.getValue());
                if (deeper.isPresent()) {
                    return deeper;
                }
            }
            return Optional.empty();
        }
        if (edited.isArray() && edited.size() == before.size()) {
            for (int i = 0; i < edited.size(); i++) {
                Optional<String> deeper = differs(path + '[' + i + ']', before.path(i), edited.path(i));
                if (deeper.isPresent()) {
                    return deeper;
                }
            }
            return Optional.empty();
        }
        return edited.equals(before) ? Optional.empty() : Optional.of(path);
    }

    /** A taint in an annotation that the edit leaves out. */
    private static Optional<String> annotation(Manifest there, Manifest edited, String place) {
        JsonNode after = edited.json().at(place + ANNOTATIONS);
        return there.json().at(place + ANNOTATIONS).propertyStream().map(Map.Entry::getKey)
                .filter(key -> key.startsWith(TaintAnnotations.PREFIX) && !after.has(key)).findFirst()
                .map(key -> (place + ANNOTATIONS).substring(1).replaceAll("/(\\d+)/", "[$1].").replace('/', '.')
                        + '[' + key + ']');
    }

    /** What goes by being left out: that it is paused, taints in annotations, workers, and taints of pools. */
    private static Optional<String> missing(Manifest there, Manifest edited) {
        if (there.json().at("/spec/paused").asBoolean() && !edited.json().at("/spec").has("paused")) {
            return Optional.of("spec.paused");
        }
        Optional<String> annotation = annotation(there, edited, CONTROL_PLANE);
        if (annotation.isPresent()) {
            return annotation;
        }
        for (String group : GROUPS) {
            JsonNode before = there.json().at(group);
            JsonNode after = edited.json().at(group);
            String path = group.substring(1).replace('/', '.');
            if (before.size() != after.size()) {
                return Optional.of(path);
            }
            for (int i = 0; i < before.size(); i++) {
                Optional<String> ofWorkers = annotation(there, edited, group + '/' + i);
                if (ofWorkers.isPresent()) {
                    return ofWorkers;
                }
                if (!group.equals(DEPLOYMENTS) && before.path(i).has(TAINTS) && !after.path(i).has(TAINTS)) {
                    return Optional.of(path + '[' + i + "]." + TAINTS);
                }
            }
        }
        return Optional.empty();
    }
}
