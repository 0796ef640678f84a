package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which Machines an object has made, itself or by MachineSets. */
final class Made {
    /** By kind, the label by which its Machines name it. */
    private static final Map<String, String> LABELS = Map.of(
            "MachineDeployment", "cluster.x-k8s.io/deployment-name",
            "MachineSet", "cluster.x-k8s.io/set-name",
            "MachinePool", "cluster.x-k8s.io/pool-name");

    private Made() {}

    static List<Document> by(Document owner, Fleet fleet) {
        Set<Document.Id> makers = Stream.concat(Stream.of(owner), sets(owner, fleet).stream())
                .map(Document::id).collect(Collectors.toSet());
        return fleet.clusterApi("Machine").stream()
                .filter(machine -> makers.stream().anyMatch(maker -> isOf(machine, maker)))
                .toList();
    }

    /** The MachineSets that a MachineDeployment has made. */
    static List<Document> sets(Document owner, Fleet fleet) {
        return fleet.clusterApi("MachineSet").stream().filter(set -> isOf(set, owner.id())).toList();
    }

    private static boolean isOf(Document made, Document.Id maker) {
        JsonNode metadata = made.json().path("metadata");
        String name = maker.key().name();
        boolean named = maker.group().equals(ClusterApi.GROUP)
                && metadata.path("labels").path(LABELS.getOrDefault(maker.kind(), "")).asText().equals(name);
        boolean owned = metadata.path("ownerReferences").valueStream().anyMatch(
                ref -> ref.path("kind").asText().equals(maker.kind()) && ref.path("name").asText().equals(name));
        return made.id().key().namespace().equals(maker.key().namespace()) && (named || owned);
    }
}
