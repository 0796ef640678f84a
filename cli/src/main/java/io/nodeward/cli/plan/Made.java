package io.nodeward.cli.plan;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.OwnerReferences;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.Lineage;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Which Machines an object has made, itself or by MachineSets. */
final class Made {
    /** By kind, the label by which its Machines name it. */
    private static final Map<String, String> LABELS = Map.of(
            "MachineDeployment", ClusterApi.DEPLOYMENT_NAME,
            "MachineSet", "cluster.x-k8s.io/set-name",
            "MachinePool", "cluster.x-k8s.io/pool-name");

    private Made() {}

    static List<Manifest> by(Manifest owner, Snapshot snapshot) {
        List<Manifest> makers = Stream.concat(Stream.of(owner), sets(owner, snapshot).stream()).toList();
        return snapshot.clusterApi("Machine").stream()
                .filter(machine -> makers.stream().anyMatch(maker -> isOf(machine, maker)))
                .toList();
    }

    /** The MachineSets that a MachineDeployment has made. */
    static List<Manifest> sets(Manifest owner, Snapshot snapshot) {
        return snapshot.clusterApi("MachineSet").stream().filter(set -> isOf(set, owner)).toList();
    }

    private static boolean isOf(Manifest made, Manifest maker) {
        Manifest.Id id = maker.id();
        String label = made.json().at("/metadata/labels").path(LABELS.getOrDefault(id.kind(), "")).asText();
        boolean named = id.group().equals(ClusterApi.GROUP) && label.equals(id.key().name());
        return made.id().key().namespace().equals(id.key().namespace())
                && (named || OwnerReferences.maker(made.json()).filter(owner -> isTo(owner, maker)).isPresent());
    }

    private static boolean isTo(OwnerRef owner, Manifest maker) {
        Manifest.Id id = maker.id();
        return Lineage.group(owner).equals(id.group()) && owner.kind().equals(id.kind())
                && owner.name().equals(id.key().name())
                && Lineage.isTo(owner, maker.json().at("/metadata/uid").asText());
    }
}
