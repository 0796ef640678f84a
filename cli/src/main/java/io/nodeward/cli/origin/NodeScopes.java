package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.cli.origin.Ancestry.Chain;
import io.nodeward.cli.snapshot.IndexedSnapshot;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.NodeOwner;
import io.nodeward.core.rules.origin.Bootstrap;
import io.nodeward.core.rules.origin.NodeScope;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Loads the facts of a Node from a snapshot: itself, whose it is, and who declares what for it. */
public final class NodeScopes {
    private static final List<Place> TAINTS = List.of(Place.of("spec", "taints"));
    private static final List<Place> ANNOTATIONS = List.of(Place.of("metadata", "annotations"));
    private static final List<String> CONTROL_PLANES =
            List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    private final Snapshot snapshot;
    private final IndexedSnapshot owners;
    private final Ancestry ancestry;
    private final Gates gates;
    private final Set<String> warnings;

    /** @param warnings takes why a Node is nobody's, and what is missing */
    public NodeScopes(Snapshot snapshot, Gates gates, Set<String> warnings) {
        this.snapshot = snapshot;
        this.owners = new IndexedSnapshot(snapshot);
        this.ancestry = new Ancestry(snapshot);
        this.gates = gates;
        this.warnings = warnings;
    }

    /** Returns the facts of this Node. */
    public NodeScope of(Manifest manifest) {
        Node node = Snapshot.read(manifest, Projection.NODE);
        JsonNode json = manifest.json();
        Optional<Manifest> owner = owner(node);
        Chain chain = owner.map(ancestry::of).orElse(new Chain(List.of(), Optional.empty()));
        Map<TaintId, Instant> timeAdded = new HashMap<>();
        json.at("/spec/taints").forEach(taint -> ManagedFields.time(taint.path("timeAdded").asText()).ifPresent(
                time -> timeAdded.put(new TaintId(taint.path("key").asText(), taint.path("effect").asText()), time)));
        return new NodeScope(node, ManagedFields.time(json.at("/metadata/creationTimestamp").asText()), timeAdded,
                json.at("/spec/unschedulable").asBoolean(), ManagedFields.of(json, TAINTS, ANNOTATIONS), chain.levels(),
                chain.unread(),
                bootstrap(owner, node), gates);
    }

    /** Returns the Machine or MachinePool that a Node belongs to. */
    public Optional<Manifest> owner(Node node) {
        return switch (owners.owner(node)) {
            case NodeOwner.OfMachine of -> manifest("Machine", of.machine().key());
            case NodeOwner.OfPool of -> manifest("MachinePool", of.pool().key());
            case NodeOwner.Contested by -> nobodys("Node " + node.key()
                    + (by.twins() ? ", as other Nodes of its providerID," : "") + " is claimed by "
                    + IndexedSnapshot.names(Stream.concat(by.machines().stream(), by.pools().stream())));
            case NodeOwner.OnlyNamed by -> nobodys("Node " + node.key() + " is named by "
                    + IndexedSnapshot.names(by.machines().stream()) + ", with another providerID");
            case NodeOwner.Nobody nobody -> Optional.empty();
        };
    }

    private Optional<Manifest> nobodys(String why) {
        warnings.add(why + ": the controller leaves it alone, and whose its taints are cannot be told");
        return Optional.empty();
    }

    private Optional<Manifest> manifest(String kind, ObjectKey key) {
        return snapshot.find(new Manifest.Id(ClusterApi.GROUP, kind, key));
    }

    private Bootstrap bootstrap(Optional<Manifest> owner, Node node) {
        boolean controlPlane = CONTROL_PLANES.stream().anyMatch(node.metadata().labels()::containsKey)
                || owner.filter(found -> found.json().at("/metadata/labels").has(ClusterApi.CONTROL_PLANE_LABEL))
                        .isPresent();
        return Kubelet.of(owner.flatMap(this::config), controlPlane);
    }

    private Optional<Manifest> config(Manifest owner) {
        JsonNode machine = owner.id().kind().equals("MachinePool")
                ? owner.json().at("/spec/template/spec")
                : owner.json().at("/spec");
        JsonNode ref = machine.at("/bootstrap/configRef");
        return snapshot.find(new Manifest.Id("bootstrap.cluster.x-k8s.io", ref.path("kind").asText(),
                new ObjectKey(owner.id().key().namespace(), ref.path("name").asText())));
    }
}
