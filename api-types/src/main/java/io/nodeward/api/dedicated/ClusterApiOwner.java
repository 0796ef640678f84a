package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterApi;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whose a Node is, as Cluster API writes it into the Node's annotations. Each part that is not empty must be the same.
 * A MachineDeployment is not among them: the kind of an owner is MachineSet, MachinePool or that of a control plane.
 */
public record ClusterApiOwner(
        String clusterNamespace, String clusterName, String kind, String name, String machine) {
    /** Empty if it names nothing, as that is every Node. */
    static Optional<ClusterApiOwner> of(Tree owner) {
        ClusterApiOwner read = new ClusterApiOwner(owner.at("clusterNamespace").string(),
                owner.at("clusterName").string(), owner.at("kind").string(), owner.at("name").string(),
                owner.at("machine").string());
        return Optional.of(read).filter(named -> !named.annotations().isEmpty());
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "clusterNamespace", Tree.of(clusterNamespace),
                "clusterName", Tree.of(clusterName),
                "kind", Tree.of(kind),
                "name", Tree.of(name),
                "machine", Tree.of(machine)));
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
