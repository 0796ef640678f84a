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
 * @param unresolved workers whose class the ClusterClass does not have. What they declare cannot be told, so nothing of
 *     theirs is to be written, and nothing taken away.
 */
public record TopologyTaints(
        MergedTaints controlPlane,
        SortedMap<String, MergedTaints> machineDeployments,
        SortedMap<String, MergedTaints> machinePools,
        List<Unresolved> unresolved) {
    /** In the topology, where MachineDeployments are declared. */
    public static final String MACHINE_DEPLOYMENTS = "machineDeployments";
    /** In the topology, where MachinePools are declared. */
    public static final String MACHINE_POOLS = "machinePools";

    /**
     * Workers of a class that is not there.
     *
     * @param place {@link #MACHINE_DEPLOYMENTS} or {@link #MACHINE_POOLS}: the same name may be in both
     */
    public record Unresolved(String place, String name, String className) {
        @Override
        public String toString() {
            return place + " " + name + " (class " + className + ")";
        }
    }

    public TopologyTaints {
        machineDeployments = Collections.unmodifiableSortedMap(new TreeMap<>(machineDeployments));
        machinePools = Collections.unmodifiableSortedMap(new TreeMap<>(machinePools));
        unresolved = List.copyOf(unresolved);
    }

    public static TopologyTaints of(ClusterTopology cluster, ClusterClass clusterClass) {
        List<Unresolved> unresolved = new ArrayList<>(0);
        return new TopologyTaints(
                merged(clusterClass.controlPlane(), cluster.controlPlane()),
                workers(MACHINE_DEPLOYMENTS, cluster.machineDeployments(), clusterClass.machineDeployments(),
                        unresolved),
                workers(MACHINE_POOLS, cluster.machinePools(), clusterClass.machinePools(), unresolved),
                unresolved);
    }

    /** What is declared for workers, by name, at {@link #MACHINE_DEPLOYMENTS} or {@link #MACHINE_POOLS}. */
    public SortedMap<String, MergedTaints> at(String place) {
        return place.equals(MACHINE_POOLS) ? machinePools : machineDeployments;
    }

    /** Whether the class of these workers is not there. */
    public Optional<Unresolved> unresolved(String place, String name) {
        return unresolved.stream().filter(one -> one.place.equals(place) && one.name.equals(name)).findFirst();
    }

    private static SortedMap<String, MergedTaints> workers(
            String place, List<Workers> workers, Map<String, List<MachineTaint>> classes, List<Unresolved> unresolved) {
        SortedMap<String, MergedTaints> all = new TreeMap<>();
        for (Workers group : workers) {
            Optional.ofNullable(classes.get(group.className())).ifPresentOrElse(
                    taints -> all.putIfAbsent(group.name(), merged(taints, group.taints())),
                    () -> unresolved.add(new Unresolved(place, group.name(), group.className())));
        }
        return all;
    }

    private static MergedTaints merged(List<MachineTaint> ofClass, List<MachineTaint> ofCluster) {
        return MergedTaints.of(Source.CLUSTER_CLASS, ofClass).overlaidBy(MergedTaints.of(Source.CLUSTER, ofCluster));
    }
}
