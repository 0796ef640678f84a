package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Manifest.Id;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.NodeOwner;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.taint.NewNoExecute;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** How many Nodes of each owner newly get {@code NoExecute}: of many the controller wants the number to be confirmed. */
final class EvictingOwners {
    private final Snapshot snapshot;
    private final List<Manifest> edited;
    private final Instant now;
    private final Map<String, Nodes> owners = new TreeMap<>();

    /** Of one owner. */
    private static final class Nodes {
        final long confirmed;
        int evicting;
        int all;

        Nodes(long confirmed) {
            this.confirmed = confirmed;
        }
    }

    EvictingOwners(Snapshot snapshot, List<Manifest> edited, Instant now) {
        this.snapshot = snapshot;
        this.edited = edited;
        this.now = now;
    }

    void add(NodeOwner of, Node node, NodePlan plan) {
        owner(of).ifPresent(id -> {
            Nodes nodes = owners.computeIfAbsent(id.toString(), any -> new Nodes(confirmed(id)));
            nodes.all++;
            if (NewNoExecute.without(node, plan.change(), now).isPresent()) {
                nodes.evicting++;
            }
        });
    }

    /** Where the controller counts it. */
    private Optional<Id> owner(NodeOwner owner) {
        return switch (owner) {
            case NodeOwner.OfMachine of ->
                    Optional.of(deployment(of.machine()).filter(id -> snapshot.find(id).isPresent())
                            .orElseGet(() -> id("Cluster", of.machine().cluster())));
            case NodeOwner.OfPool of -> Optional.of(id("MachinePool", of.pool().key()));
            default -> Optional.empty();
        };
    }

    private static Optional<Id> deployment(Machine machine) {
        return Optional.ofNullable(machine.metadata().labels().get(ClusterApi.DEPLOYMENT_NAME))
                .map(name -> id("MachineDeployment", new ObjectKey(machine.key().namespace(), name)));
    }

    private static Id id(String kind, ObjectKey key) {
        return new Id(ClusterApi.GROUP, kind, key);
    }

    /** An edit that does not name the annotation leaves it. */
    private long confirmed(Id owner) {
        return Stream.concat(edited.stream().filter(each -> each.id().equals(owner)), snapshot.find(owner).stream())
                .map(each -> each.json().at("/metadata/annotations").path(TaintAnnotations.CONFIRMED))
                .filter(text -> !text.isMissingNode()).findFirst()
                .map(text -> NoExecuteCount.confirmed(Map.of(TaintAnnotations.CONFIRMED, text.asText()))).orElse(0L);
    }

    void tell(Set<String> warnings) {
        owners.forEach((owner, nodes) -> {
            NoExecuteCount count = new NoExecuteCount(nodes.evicting, 0, nodes.all, nodes.confirmed);
            if (count.isUnconfirmed(NoExecuteCount.DEFAULT_PERCENT)) {
                warnings.add(owner + ": " + count.message()
                        + "; until then the controller withholds it, unless its flags say otherwise");
            }
        });
    }
}
