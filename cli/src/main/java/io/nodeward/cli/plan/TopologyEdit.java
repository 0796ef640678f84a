package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.topology.MergedTaints;
import io.nodeward.core.rules.topology.MergedTaints.Source;
import io.nodeward.core.rules.topology.TopologyTaints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An edited Cluster, of which the taints of its topology are planned: for the control plane and MachineDeployments, as
 * Cluster API's manager carries them in place, and with the gate TopologyTaintPropagation as the controller completes them.
 * An edit of anything else in it is refused, for nobody here says what it does.
 */
record TopologyEdit(Snapshot snapshot, Optional<Boolean> merges, Manifest edited, Set<String> warnings) {
    private static final String DEPLOYMENT_NAME = "topology.cluster.x-k8s.io/deployment-name";

    /**
     * What a group of Machines is to declare instead of what it did.
     *
     * @param made the MachineDeployment, or a Machine of the control plane
     */
    record Propagated(Manifest made, Declared before, Declared after) {}

    /**
     * Whose taints change.
     *
     * @param merges the controller's gate TopologyTaintPropagation; empty if it is not said
     * @param warnings takes on what the plan depends
     * @throws IllegalArgumentException naming what of the edit is not planned, or what is missing
     */
    static List<Propagated> of(
            Manifest there, Manifest edited, Snapshot snapshot, Optional<Boolean> merges, Set<String> warnings) {
        ClusterTopology before = snapshot.topology(there);
        if (before.className().isEmpty() || !edited.json().at("/spec/topology").isObject()) {
            throw edited.error(Instead.of(edited, snapshot));
        }
        TopologyFields.check(there, edited);
        TopologyEdit edit = new TopologyEdit(snapshot, merges, edited, warnings);
        ClusterClass clusterClass = edit.clusterClass(before);
        return edit.propagated(TopologyTaints.of(before, clusterClass),
                TopologyTaints.of(snapshot.topology(edited), clusterClass));
    }

    private ClusterClass clusterClass(ClusterTopology topology) {
        ObjectKey key = new ObjectKey(topology.classNamespace(), topology.className());
        return snapshot.find(new Manifest.Id(ClusterApi.GROUP, "ClusterClass", key))
                .map(found -> Snapshot.read(found, Projection.CLUSTER_CLASS))
                .orElseThrow(() -> edited.error(snapshot.gap("ClusterClass")
                        .map(gap -> gap + "; without it this edit is not planned")
                        .orElse("its ClusterClass " + key + ", which may declare taints as well, is not there")));
    }

    private List<Propagated> propagated(TopologyTaints before, TopologyTaints after) {
        if (!after.unresolved().isEmpty()) {
            throw edited.error("its ClusterClass does not have " + after.unresolved().get(0));
        }
        List<Propagated> all = new ArrayList<>();
        for (Map.Entry<String, MergedTaints> group : after.machineDeployments().entrySet()) {
            MergedTaints old = before.machineDeployments().getOrDefault(group.getKey(), MergedTaints.NONE);
            if (isChanged(old, group.getValue())) {
                all.add(propagated(deployment(group.getKey()), old, group.getValue()));
            }
        }
        if (isChanged(before.controlPlane(), after.controlPlane())) {
            warnings.add(
                    edited.id() + ": the taints of its control plane come if the provider carries them to Machines");
            controlPlane()
                    .forEach(machine -> all.add(propagated(machine, before.controlPlane(), after.controlPlane())));
        }
        return all;
    }

    private Propagated propagated(Manifest made, MergedTaints before, MergedTaints after) {
        return new Propagated(made, Declared.of(effective(before)), Declared.of(effective(after)));
    }

    private boolean isChanged(MergedTaints before, MergedTaints after) {
        boolean drops = !before.dropped().entries().isEmpty() || !after.dropped().entries().isEmpty();
        if (drops && merges.isEmpty() && !before.equals(after)) {
            warnings.add(edited.id()
                    + ": as Cluster API has it, its list of taints replaces that of its ClusterClass. The"
                    + " controller's gate TopologyTaintPropagation merges them: say with --feature-gates what it is");
        }
        return !effective(before).equals(effective(after));
    }

    private List<MachineTaint> effective(MergedTaints merged) {
        MergedTaints own = merged.from(Source.CLUSTER);
        return own.entries().isEmpty() || merges.orElse(false) ? merged.taints() : own.taints();
    }

    private Manifest deployment(String name) {
        return snapshot.clusterApi("MachineDeployment").stream().filter(this::isInCluster)
                .filter(group -> group.json().at("/metadata/labels").path(DEPLOYMENT_NAME).asText().equals(name))
                .findFirst()
                .orElseThrow(() -> edited.error("the MachineDeployment of " + name + " in its topology is not there"));
    }

    private List<Manifest> controlPlane() {
        List<Manifest> machines = snapshot.clusterApi("Machine").stream().filter(this::isInCluster)
                .filter(machine -> machine.json().at("/metadata/labels").has(ClusterApi.CONTROL_PLANE_LABEL))
                .toList();
        if (machines.isEmpty()) {
            throw edited.error("no Machine of its control plane is there");
        }
        return machines;
    }

    private boolean isInCluster(Manifest owner) {
        JsonNode name = owner.json().at("/spec/clusterName");
        return new ObjectKey(owner.id().key().namespace(), name.asText()).equals(edited.id().key());
    }
}
