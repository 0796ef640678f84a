package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the taints that ClusterClasses and the topologies of Clusters declare, from v1beta2 or v1beta1. */
final class TopologyReader {
    static final Projection.Reader<ClusterClass> CLUSTER_CLASS = new ShapeReader<>(TopologyReader::clusterClass,
            "spec.controlPlane.taints" + Parts.TAINT,
            "spec.workers.machineDeployments.class", "spec.workers.machineDeployments.taints" + Parts.TAINT,
            "spec.workers.machinePools.class", "spec.workers.machinePools.taints" + Parts.TAINT);

    static final Projection.Reader<ClusterTopology> TOPOLOGY = new ShapeReader<>(TopologyReader::topology,
            "spec.controlPlaneRef" + Parts.REFERENCE,
            "spec.topology.classRef", "spec.topology.class", "spec.topology.classNamespace",
            "spec.topology.controlPlane.taints" + Parts.TAINT,
            "spec.topology.workers.machineDeployments.name", "spec.topology.workers.machineDeployments.class",
            "spec.topology.workers.machineDeployments.taints" + Parts.TAINT,
            "spec.topology.workers.machinePools.name", "spec.topology.workers.machinePools.class",
            "spec.topology.workers.machinePools.taints" + Parts.TAINT);

    private TopologyReader() {}

    private static ClusterClass clusterClass(Metadata metadata, Tree object) {
        Tree spec = object.at("spec");
        return new ClusterClass(metadata, Parts.taints(spec.at("controlPlane")),
                byClass(spec.at("workers").at("machineDeployments")), byClass(spec.at("workers").at("machinePools")));
    }

    private static Map<String, List<MachineTaint>> byClass(Tree classes) {
        Map<String, List<MachineTaint>> byClass = new HashMap<>();
        classes.elements().forEach(one -> byClass.put(Parts.text(one, "class"), Parts.taints(one)));
        return byClass;
    }

    /** v1beta2 names the ClusterClass in {@code classRef}, v1beta1 in {@code class} and {@code classNamespace}. */
    private static ClusterTopology topology(Metadata metadata, Tree object) {
        Tree topology = object.at("spec").at("topology");
        Tree classRef = topology.at("classRef");
        Tree reference = object.at("spec").at("controlPlaneRef");
        String namespace = Parts.either(
                Parts.text(classRef, "namespace"), Parts.text(topology, "classNamespace"));
        return new ClusterTopology(metadata, Parts.either(namespace, metadata.key().namespace()),
                Parts.either(Parts.text(classRef, "name"), Parts.text(topology, "class")),
                new ControlPlaneRef(
                        Parts.group(reference), Parts.text(reference, "kind"), Parts.text(reference, "name")),
                Parts.taints(topology.at("controlPlane")), workers(topology.at("workers").at("machineDeployments")),
                workers(topology.at("workers").at("machinePools")));
    }

    private static List<Workers> workers(Tree workers) {
        return workers.elements().stream()
                .map(one -> new Workers(Parts.text(one, "name"), Parts.text(one, "class"), Parts.taints(one)))
                .toList();
    }
}
