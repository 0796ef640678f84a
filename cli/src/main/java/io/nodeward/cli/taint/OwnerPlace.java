package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * One list of declared taints of an object.
 *
 * @param path JSON pointer of the list
 * @param named JSON pointer of the name of the list's element that it is in; empty if it is in none
 * @param name what is there
 * @param machines label selectors of the Machines that it is for
 * @param pools label selectors of the MachinePools that it is for
 */
record OwnerPlace(String path, String named, String name, List<String> machines, List<String> pools) {
    private static final String CLUSTER = "cluster.x-k8s.io/cluster-name=";
    private static final String TOPOLOGY = "/spec/topology";
    private static final String CONTROL_PLANE = "controlPlane";
    private static final String WORKERS = "workers";

    /**
     * The lists that a command is about.
     *
     * @param place of a Cluster: which part of its topology; else empty
     * @throws IllegalArgumentException if the object has no such place, with those that it has
     */
    static List<OwnerPlace> of(OwnerKind kind, JsonNode owner, String place) {
        String name = owner.at("/metadata/name").asText();
        if (kind != OwnerKind.CLUSTER && !place.isEmpty()) {
            throw new IllegalArgumentException("--place is for a Cluster: " + kind.typed(name) + " has one place");
        }
        String cluster = CLUSTER + owner.at("/spec/clusterName").asText() + ",";
        return switch (kind) {
            case MACHINE -> List.of(alone(kind, List.of(), List.of()));
            case MACHINE_SET -> List.of(alone(kind, List.of(cluster + "cluster.x-k8s.io/set-name=" + name), List.of()));
            case MACHINE_DEPLOYMENT ->
                    List.of(alone(kind, List.of(cluster + "cluster.x-k8s.io/deployment-name=" + name), List.of()));
            case MACHINE_POOL -> List.of(alone(kind, List.of(), List.of()));
            case CLUSTER -> ofCluster(owner, name, place);
        };
    }

    private static OwnerPlace alone(OwnerKind kind, List<String> machines, List<String> pools) {
        return new OwnerPlace(kind.path(), "", "", machines, pools);
    }

    private static List<OwnerPlace> ofCluster(JsonNode cluster, String name, String place) {
        if (cluster.at(TOPOLOGY).isMissingNode()) {
            throw new IllegalArgumentException("cluster/" + name
                    + " has no topology: taint its machinedeployments, machinepools or machines");
        }
        List<OwnerPlace> all = new ArrayList<>();
        if (place.equalsIgnoreCase(CONTROL_PLANE)) {
            all.add(new OwnerPlace(TOPOLOGY + "/controlPlane/taints", "", "",
                    List.of(CLUSTER + name + ",cluster.x-k8s.io/control-plane"), List.of()));
        }
        List<String> known = new ArrayList<>(List.of(CONTROL_PLANE, WORKERS));
        groups(cluster, name, "machineDeployments", "machinedeployment", place, all, known);
        groups(cluster, name, "machinePools", "machinepool", place, all, known);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("cluster/" + name + ": --place says which part of its topology is meant:"
                    + " one of " + String.join(", ", known));
        }
        return all;
    }

    private static void groups(JsonNode cluster, String name, String list, String type, String place,
            List<OwnerPlace> all, List<String> known) {
        int index = 0;
        for (JsonNode group : cluster.at(TOPOLOGY + "/workers/" + list)) {
            String path = TOPOLOGY + "/workers/" + list + "/" + index++;
            String member = group.path("name").asText();
            known.add(type + "/" + member);
            if (place.equalsIgnoreCase(WORKERS) || place.equals(type + "/" + member)) {
                String label = CLUSTER + name + ",topology.cluster.x-k8s.io/"
                        + (type.equals("machinepool") ? "pool-name=" : "deployment-name=") + member;
                boolean pool = type.equals("machinepool");
                all.add(new OwnerPlace(path + "/taints", path + "/name", member,
                        pool ? List.of() : List.of(label), pool ? List.of(label) : List.of()));
            }
        }
    }
}
