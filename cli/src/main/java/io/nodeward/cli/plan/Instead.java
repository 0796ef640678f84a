package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What to edit in the place of an object whose edits are not planned. */
record Instead(Snapshot snapshot) {
    private static final int NAMED = 5;
    private static final String REFUSED = "edits of this kind are not planned; ";
    private static final String NO_TOPOLOGY = "has no topology of which taints are planned; ";

    static String of(Manifest edited, Snapshot snapshot) {
        Instead instead = new Instead(snapshot);
        Manifest.Id id = edited.id();
        if (id.group().startsWith("controlplane.")) {
            return REFUSED + "edit spec.taints of the Machines that it makes" + named(Made.by(edited, snapshot));
        }
        if (id.group().equals(ClusterApi.GROUP) && id.kind().equals("Cluster")) {
            return NO_TOPOLOGY + instead.ofClusters(Set.of(id.key()));
        }
        if (id.group().equals(ClusterApi.GROUP) && id.kind().equals("ClusterClass")) {
            return REFUSED + instead.ofClusters(instead.clustersOf(id.key()));
        }
        return REFUSED + "status.preview of a DeviceTaintRule with the effect None says what it does";
    }

    /** What Cluster API makes of them, with the fields to which it carries their taints. */
    private String ofClusters(Set<ObjectKey> clusters) {
        List<Manifest> workers = Stream.of("MachineDeployment", "MachinePool")
                .flatMap(kind -> snapshot.clusterApi(kind).stream())
                .filter(group -> isOf(group, clusters))
                .toList();
        List<Manifest> controlPlane = snapshot.clusterApi("Machine").stream()
                .filter(machine -> machine.json().at("/metadata/labels").has(ClusterApi.CONTROL_PLANE_LABEL))
                .filter(machine -> isOf(machine, clusters))
                .toList();
        return "edit what Cluster API makes of it: spec.template.spec.taints of MachineDeployments and"
                + " MachinePools" + named(workers) + ", spec.taints of the control plane's Machines"
                + named(controlPlane);
    }

    private static boolean isOf(Manifest owner, Set<ObjectKey> clusters) {
        JsonNode name = owner.json().at("/spec/clusterName");
        return clusters.contains(new ObjectKey(owner.id().key().namespace(), name.asText()));
    }

    private Set<ObjectKey> clustersOf(ObjectKey clusterClass) {
        return snapshot.clusterApi("Cluster").stream()
                .filter(cluster -> {
                    ClusterTopology topology = snapshot.topology(cluster);
                    return clusterClass.equals(new ObjectKey(topology.classNamespace(), topology.className()));
                })
                .map(cluster -> cluster.id().key())
                .collect(Collectors.toSet());
    }

    private static String named(List<Manifest> objects) {
        return objects.isEmpty() ? ""
                : " (" + Words.some(objects.stream().map(found -> found.id().toString()).toList(), NAMED) + ")";
    }
}
