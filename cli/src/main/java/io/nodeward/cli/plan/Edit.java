package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;

/**
 * Edited objects, brought into a fleet as Cluster API carries them down in place: from a MachineDeployment, MachineSet or
 * MachinePool to its Machines. What others have added to a Machine stays there.
 */
final class Edit {
    /** By kind, the label by which its Machines name it. */
    private static final Map<String, String> MACHINES = Map.of(
            "MachineDeployment", "cluster.x-k8s.io/deployment-name",
            "MachineSet", "cluster.x-k8s.io/set-name",
            "MachinePool", "cluster.x-k8s.io/pool-name");
    private static final List<String> TOPOLOGY = List.of("Cluster", "ClusterClass");

    private final Fleet fleet;

    Edit(Fleet fleet) {
        this.fleet = fleet;
    }

    void apply(List<Document> edited) {
        edited.forEach(this::apply);
    }

    private void apply(Document edited) {
        Document.Id id = edited.id();
        if (id.group().equals(ClusterApi.GROUP) && TOPOLOGY.contains(id.kind())) {
            throw edited.error("edits of a topology are not planned; edit the " + MACHINES.keySet().stream().sorted()
                    .toList() + " that Cluster API makes of it");
        }
        Document there = fleet.find(id).orElseThrow(() -> edited.error("is edited, but not in the fleet"));
        if (!id.group().equals(ClusterApi.GROUP)) {
            fleet.put(edited);
        } else if (id.kind().equals("Machine")) {
            fleet.put(replaced(there, Declared.of(there.json()), Declared.of(edited.json())));
        } else if (MACHINES.containsKey(id.kind())) {
            ofTemplate(there, edited);
        } else {
            throw edited.error("declares no taints for Nodes");
        }
    }

    private void ofTemplate(Document there, Document edited) {
        Declared before = Declared.of(there.json().at("/spec/template"));
        Declared after = Declared.of(edited.json().at("/spec/template"));
        ObjectNode owner = there.json().deepCopy();
        after.replace(before, owner.withObject("/spec/template"));
        fleet.put(new Document(owner, edited.source()));
        for (Document machine : fleet.clusterApi("Machine")) {
            if (isOf(machine, there.id())) {
                fleet.put(replaced(machine, before, after));
            }
        }
    }

    private static boolean isOf(Document machine, Document.Id owner) {
        ObjectKey key = owner.key();
        String label = MACHINES.getOrDefault(owner.kind(), "");
        return machine.id().key().namespace().equals(key.namespace())
                && machine.json().path("metadata").path("labels").path(label).asText().equals(key.name());
    }

    private static Document replaced(Document there, Declared before, Declared after) {
        ObjectNode object = there.json().deepCopy();
        after.replace(before, object);
        return new Document(object, there.source());
    }
}
