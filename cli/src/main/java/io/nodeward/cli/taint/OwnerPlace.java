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
 * @param members what it is declared for: of a Cluster's control plane Machines, of its workers what the topology makes
 */
record OwnerPlace(String path, String named, String name, OwnerKind members) {
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
        return kind == OwnerKind.CLUSTER ? ofCluster(owner, name, place)
                : List.of(new OwnerPlace(kind.path(), "", "", kind));
    }

    /** JSON pointer of what the list is a field of. */
    String parent() {
        return path.substring(0, path.lastIndexOf('/'));
    }

    private static List<OwnerPlace> ofCluster(JsonNode cluster, String name, String place) {
        if (cluster.at(TOPOLOGY).isMissingNode()) {
            throw new IllegalArgumentException("cluster/" + name
                    + " has no topology: taint its machinedeployments, machinepools or machines");
        }
        List<OwnerPlace> all = new ArrayList<>();
        if (place.equalsIgnoreCase(CONTROL_PLANE)) {
            all.add(new OwnerPlace(TOPOLOGY + "/controlPlane/taints", "", "", OwnerKind.MACHINE));
        }
        List<String> known = new ArrayList<>(List.of(CONTROL_PLANE, WORKERS));
        groups(cluster, "machineDeployments", OwnerKind.MACHINE_DEPLOYMENT, place, all, known);
        groups(cluster, "machinePools", OwnerKind.MACHINE_POOL, place, all, known);
        if (all.isEmpty()) {
            throw new IllegalArgumentException("cluster/" + name + ": --place says which part of its topology is meant:"
                    + " one of " + String.join(", ", known));
        }
        return all;
    }

    private static void groups(JsonNode cluster, String list, OwnerKind members, String place, List<OwnerPlace> all,
            List<String> known) {
        int index = 0;
        for (JsonNode group : cluster.at(TOPOLOGY + "/workers/" + list)) {
            String path = TOPOLOGY + "/workers/" + list + "/" + index++;
            String member = group.path("name").asText();
            known.add(members.typed(member));
            if (place.equalsIgnoreCase(WORKERS) || place.equals(members.typed(member))) {
                all.add(new OwnerPlace(path + "/taints", path + "/name", member, members));
            }
        }
    }
}
