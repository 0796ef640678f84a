package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.topology.MergedTaints.Source;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a Cluster and its ClusterClass together declare for each part of the topology: where only one of them sets
 * taints these count, where both do they are merged, and the Cluster wins on the same key and effect.
 *
 * @param machineDeployments by name in the topology
 * @param machinePools likewise
 * @param unresolved names of workers whose class the ClusterClass does not have, each with it. What they declare cannot
 *     be told, so nothing of theirs is to be written, and nothing taken away.
 */
public record TopologyTaints(
        MergedTaints controlPlane,
        SortedMap<String, MergedTaints> machineDeployments,
        SortedMap<String, MergedTaints> machinePools,
        List<String> unresolved) {
    public TopologyTaints {
        machineDeployments = Collections.unmodifiableSortedMap(new TreeMap<>(machineDeployments));
        machinePools = Collections.unmodifiableSortedMap(new TreeMap<>(machinePools));
        unresolved = List.copyOf(unresolved);
    }

    public static TopologyTaints of(ClusterTopology cluster, ClusterClass clusterClass) {
        List<String> unresolved = new ArrayList<>(0);
        return new TopologyTaints(
                merged(clusterClass.controlPlane(), cluster.controlPlane()),
                workers("machineDeployments", cluster.machineDeployments(), clusterClass.machineDeployments(),
                        unresolved),
                workers("machinePools", cluster.machinePools(), clusterClass.machinePools(), unresolved),
                unresolved);
    }

    private static SortedMap<String, MergedTaints> workers(
            String place, List<Workers> workers, Map<String, List<MachineTaint>> classes, List<String> unresolved) {
        SortedMap<String, MergedTaints> all = new TreeMap<>();
        for (Workers group : workers) {
            Optional.ofNullable(classes.get(group.className())).ifPresentOrElse(
                    taints -> all.putIfAbsent(group.name(), merged(taints, group.taints())),
                    () -> unresolved.add(place + " " + group.name() + " (class " + group.className() + ")"));
        }
        return all;
    }

    private static MergedTaints merged(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
        return MergedTaints.of(Source.CLUSTER_CLASS, ofClass).overlaidBy(MergedTaints.of(Source.CLUSTER, ofCluster));
    }
}
