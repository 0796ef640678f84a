package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import java.util.Optional;

/** Where a declaration belongs: what is made from something else is written anew by whoever makes it. */
final class OwnerHome {
    private static final String DEPLOYMENT = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL = "topology.cluster.x-k8s.io/pool-name";

    private OwnerHome() {}

    /**
     * Of a Machine nothing is required here: it may have taints of its own.
     *
     * @throws IllegalArgumentException naming what to taint instead
     */
    static void require(OwnerKind kind, JsonNode owner) {
        if (kind == OwnerKind.MACHINE || kind == OwnerKind.CLUSTER) {
            return;
        }
        String typed = kind.typed(owner.at("/metadata/name").asText());
        Optional<String> deployment = deployment(owner);
        if (deployment.isPresent()) {
            throw new IllegalArgumentException(typed + " is made from a MachineDeployment: taint "
                    + topology(owner).orElse(deployment.get()));
        }
        topology(owner).ifPresent(instead -> {
            throw new IllegalArgumentException(typed + " is made from a topology: taint " + instead);
        });
    }

    /** What to taint in the place of what a topology made, or of what that made; Cluster API labels all of it. */
    static Optional<String> topology(JsonNode made) {
        JsonNode labels = made.at("/metadata/labels");
        String place = labels.has(DEPLOYMENT) ? "machinedeployment/" + labels.path(DEPLOYMENT).asText()
                : labels.has(POOL) ? "machinepool/" + labels.path(POOL).asText()
                : labels.has(ClusterApi.CONTROL_PLANE_LABEL) ? "controlPlane" : "";
        return labels.has(ClusterApi.TOPOLOGY_OWNED_LABEL) && !place.isEmpty()
                ? Optional.of("cluster/" + made.at("/spec/clusterName").asText() + " with --place " + place)
                : Optional.empty();
    }

    /** The MachineDeployment that made a MachineSet. */
    static Optional<String> deployment(JsonNode set) {
        return set.at("/metadata/ownerReferences").valueStream()
                .filter(owner -> owner.path("kind").asText().equals("MachineDeployment"))
                .map(owner -> "machinedeployment/" + owner.path("name").asText())
                .findFirst();
    }
}
