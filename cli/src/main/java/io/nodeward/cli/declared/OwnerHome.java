package io.nodeward.cli.declared;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.cli.snapshot.OwnerReferences;
import java.util.Optional;

/**
 * Where a declaration belongs: what is made from something else is written anew by its maker.
 *
 * @param maker what it is made from, as {@code a topology}
 * @param typed the object to edit instead, as it is typed
 * @param place which part of its topology; empty if it is no Cluster
 */
public record OwnerHome(String maker, String typed, String place) {
    private static final String DEPLOYMENT = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL = "topology.cluster.x-k8s.io/pool-name";

    /** Of a MachineSet, MachineDeployment or MachinePool; empty if its declarations belong there. */
    public static Optional<OwnerHome> of(JsonNode owner) {
        Optional<OwnerHome> topology = topology(owner);
        return deployment(owner)
                .map(made -> topology.map(home -> new OwnerHome(made.maker, home.typed, home.place)).orElse(made))
                .or(() -> topology);
    }

    /** Of what a topology made, or of what that made; Cluster API labels all of it. */
    static Optional<OwnerHome> topology(JsonNode made) {
        JsonNode labels = made.at("/metadata/labels");
        String place = labels.has(DEPLOYMENT) ? "machinedeployment/" + labels.path(DEPLOYMENT).asText()
                : labels.has(POOL) ? "machinepool/" + labels.path(POOL).asText()
                : labels.has(ClusterApi.CONTROL_PLANE_LABEL) ? "controlPlane" : "";
        return labels.has(ClusterApi.TOPOLOGY_OWNED_LABEL) && !place.isEmpty()
                ? Optional.of(new OwnerHome("a topology", "cluster/" + made.at("/spec/clusterName").asText(), place))
                : Optional.empty();
    }

    /** Of a MachineSet that a MachineDeployment made. */
    static Optional<OwnerHome> deployment(JsonNode set) {
        return OwnerReferences.maker(set).filter(maker -> maker.kind().equals("MachineDeployment"))
                .map(maker -> new OwnerHome("a MachineDeployment", "machinedeployment/" + maker.name(), ""));
    }

    /** What to taint instead, as arguments of the command. */
    public String instead() {
        return typed + (place.isEmpty() ? "" : " with --place " + place);
    }
}
