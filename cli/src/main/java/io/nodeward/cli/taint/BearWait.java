package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.taint.OwnerEditor.Edited;
import io.nodeward.cli.taint.OwnerEditor.PlaceEdit;
import io.nodeward.cli.terminal.Progress;
import io.nodeward.core.rules.command.Removal;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Waits until all Nodes of an owner bear what is declared, in their own cluster. */
final class BearWait {
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** A fleet that takes long to read is not read all the time. */
    private static final int REST = 4;
    private static final int NAMED = 3;

    private final LiveCluster management;
    private final ClusterOptions options;
    private final Time time;
    private final Instant end;
    private final Progress progress;

    /** @param timeout zero for none */
    BearWait(LiveCluster management, ClusterOptions options, Time time, Duration timeout, Progress progress) {
        this.management = management;
        this.options = options;
        this.time = time;
        this.end = timeout.isZero() ? Instant.MAX : time.now().plus(timeout);
        this.progress = progress;
    }

    /** What is to be on a Node, and what is not. */
    record Wanted(List<Taint> added, List<Removal> removed) {
        boolean isMet(List<Taint> taints) {
            return added.stream().allMatch(wanted -> taints.stream()
                    .anyMatch(taint -> taint.id().equals(wanted.id()) && taint.value().equals(wanted.value())))
                    && removed.stream().noneMatch(removal -> taints.stream().anyMatch(removal::matches));
        }
    }

    /** What to say of the end; empty if it did not come in time, which {@code faults} are told. */
    Optional<String> await(OwnerKind kind, Resource resource, Edited edited, Wanted wanted, Faults faults) {
        String name = edited.owner().at("/metadata/name").asText();
        String clusterName = kind == OwnerKind.CLUSTER ? name : edited.owner().at("/spec/clusterName").asText();
        try (LiveCluster workload = options.workload(management, clusterName)) {
            while (true) {
                Instant start = time.now();
                Set<String> nodes = nodes(kind, resource, edited);
                List<String> left = left(workload, nodes, wanted);
                progress.show(nodes.size() - left.size(), nodes.size(), "Nodes of " + kind.typed(name) + " bear it");
                if (left.isEmpty()) {
                    return Optional.of(nodes.size() + (nodes.size() == 1 ? " Node of " : " Nodes of ")
                            + kind.object(name) + (nodes.size() == 1 ? " bears it" : " bear it"));
                }
                if (!time.now().isBefore(end)) {
                    faults.add("timed out waiting for " + left.size() + " of " + nodes.size() + " Nodes of "
                            + kind.typed(name) + ": " + String.join(", ", left.subList(0, Math.min(NAMED, left.size())))
                            + (left.size() > NAMED ? " and others" : ""));
                    return Optional.empty();
                }
                Duration took = Duration.between(start, time.now());
                time.sleep(took.multipliedBy(REST).compareTo(LOOK) > 0 ? took.multipliedBy(REST) : LOOK);
            }
        }
    }

    private static List<String> left(LiveCluster workload, Set<String> nodes, Wanted wanted) {
        // A Machine may outlive its Node, which then does not count.
        return workload.list(LiveCluster.NODES, "", "", "", NodeEditor::node).stream()
                .filter(node -> nodes.contains(node.key().name()) && !wanted.isMet(node.taints()))
                .map(node -> node.key().name())
                .toList();
    }

    private Set<String> nodes(OwnerKind kind, Resource resource, Edited edited) {
        Set<String> nodes = new TreeSet<>();
        if (kind == OwnerKind.MACHINE || kind == OwnerKind.MACHINE_POOL) {
            ObjectKey key = new ObjectKey(
                    management.namespace(), edited.owner().at("/metadata/name").asText());
            ObjectNode owner = management.get(resource, key);
            nodes.addAll(nodes(owner));
        }
        for (PlaceEdit place : edited.places()) {
            listed("machines", place.place().machines(), nodes);
            listed("machinepools", place.place().pools(), nodes);
        }
        return nodes;
    }

    private void listed(String plural, List<String> selectors, Set<String> nodes) {
        for (String selector : selectors) {
            management.list(management.clusterApi(plural), management.namespace(), selector, "", BearWait::nodes)
                    .forEach(nodes::addAll);
        }
    }

    /** Of a Machine or a MachinePool; one that is being deleted counts no more. */
    private static List<String> nodes(JsonNode owner) {
        if (owner.at("/metadata").has("deletionTimestamp")) {
            return List.of();
        }
        Set<String> names = new TreeSet<>();
        names.add(owner.at("/status/nodeRef/name").asText());
        owner.at("/status/nodeRefs").forEach(reference -> names.add(reference.path("name").asText()));
        names.remove("");
        return List.copyOf(names);
    }
}
