package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whose a Node is, as Cluster API writes it into the Node's annotations. Each part that is not empty must be the same.
 * A MachineDeployment is not among them: the kind of an owner is MachineSet, MachinePool or that of a control plane.
 */
public record ClusterApiOwner(
        String clusterNamespace, String clusterName, String kind, String name, String machine) {
    private static final List<String> FIELDS =
            List.of("clusterNamespace", "clusterName", "kind", "name", "machine");

    static Optional<ClusterApiOwner> of(Tree owner) {
        List<String> texts = FIELDS.stream().map(field -> owner.at(field).string()).toList();
        return owner instanceof Tree.Fields
                ? Optional.of(
                        new ClusterApiOwner(texts.get(0), texts.get(1), texts.get(2), texts.get(3), texts.get(4)))
                : Optional.empty();
    }

    Tree tree() {
        Map<String, String> texts = new TreeMap<>();
        List<String> parts = List.of(clusterNamespace, clusterName, kind, name, machine);
        for (int i = 0; i < parts.size(); i++) {
            if (!parts.get(i).isEmpty()) {
                texts.put(FIELDS.get(i), parts.get(i));
            }
        }
        return Tree.of(texts);
    }

    /** The annotations that a Node of this owner has. */
    public Map<String, String> annotations() {
        Map<String, String> annotations = new TreeMap<>(Map.of(
                ClusterApi.CLUSTER_NAMESPACE_ANNOTATION, clusterNamespace,
                ClusterApi.CLUSTER_NAME_ANNOTATION, clusterName,
                ClusterApi.OWNER_KIND_ANNOTATION, kind,
                ClusterApi.OWNER_NAME_ANNOTATION, name,
                ClusterApi.MACHINE_ANNOTATION, machine));
        annotations.values().removeIf(String::isEmpty);
        return annotations;
    }
}
