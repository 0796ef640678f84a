package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;

/** Where a declaration belongs: what is made from something else is written anew by whoever makes it. */
final class OwnerHome {
    private static final String OWNED = "topology.cluster.x-k8s.io/owned";
    private static final String DEPLOYMENT = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL = "topology.cluster.x-k8s.io/pool-name";

    private OwnerHome() {}

    /** @throws IllegalArgumentException naming what to taint instead */
    static void require(OwnerKind kind, JsonNode owner) {
        String typed = kind.typed(owner.at("/metadata/name").asText());
        JsonNode labels = owner.at("/metadata/labels");
        if (labels.has(OWNED) && (kind == OwnerKind.MACHINE_DEPLOYMENT || kind == OwnerKind.MACHINE_POOL)) {
            String place = kind == OwnerKind.MACHINE_POOL
                    ? "machinepool/" + labels.path(POOL).asText()
                    : "machinedeployment/" + labels.path(DEPLOYMENT).asText();
            throw new IllegalArgumentException(typed + " is made from a topology: taint cluster/"
                    + owner.at("/spec/clusterName").asText() + " with --place " + place);
        }
        if (kind == OwnerKind.MACHINE_SET) {
            for (JsonNode reference : owner.at("/metadata/ownerReferences")) {
                if (reference.path("kind").asText().equals("MachineDeployment")) {
                    throw new IllegalArgumentException(typed + " is made from a MachineDeployment: taint "
                            + "machinedeployment/" + reference.path("name").asText());
                }
            }
        }
    }
}
