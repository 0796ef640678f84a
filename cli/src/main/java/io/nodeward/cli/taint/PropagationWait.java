package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.explain.Words;
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

/** Waits until an owner has as many Nodes as it wants, and all of them have what is declared, in their own cluster. */
final class PropagationWait {
    private static final Duration LOOK = Duration.ofSeconds(1);
    /** A fleet that takes long to read is not read all the time. */
    private static final int REST = 4;

    private final LiveCluster management;
    private final ClusterOptions options;
    private final Time time;
    private final Instant end;
    private final Progress progress;

    /** @param timeout zero for none */
    PropagationWait(LiveCluster management, ClusterOptions options, Time time, Duration timeout, Progress progress) {
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

    /**
     * Whose Nodes are waited for.
     *
     * @param cluster name of its Cluster
     */
    record Awaited(OwnerKind kind, Resource resource, String name, String cluster, List<OwnerPlace> places) {
        static Awaited of(OwnerKind kind, Resource resource, Edited edited) {
            String name = edited.owner().at("/metadata/name").asText();
            return new Awaited(kind, resource, name,
                    kind == OwnerKind.CLUSTER ? name : edited.owner().at("/spec/clusterName").asText(),
                    edited.places().stream().map(PlaceEdit::place).toList());
        }

        String typed() {
            return kind.typed(name);
        }

        String object() {
            return kind.object(name);
        }
    }

    /** An owner as it is now, and what it has. */
    private record Seen(ObjectNode owner, Descendants descendants) {
        boolean isGoing() {
            return owner.path("metadata").has("deletionTimestamp");
        }

        /** Whether there is nothing (more) to wait for. */
        boolean isOver() {
            return descendants.total() == 0 || isGoing();
        }
    }

    /** The message of the end; empty on a timeout, which goes to {@code faults}. */
    Optional<String> await(Awaited awaited, Wanted wanted, Faults faults) {
        Seen seen = see(awaited);
        if (seen.isOver()) { // who needs no Nodes needs no way to them
            return over(awaited, seen, faults);
        }
        try (LiveCluster workload = options.workload(management, awaited.cluster)) {
            while (!seen.isOver()) {
                Instant start = time.now();
                Status status = Status.of(seen.descendants, nodes(workload), node -> wanted.isMet(node.taints()));
                show(awaited, status);
                if (status.isDone()) {
                    return Optional.of(Words.counted(status.updated(), "Node") + " of " + awaited.object()
                            + (status.updated() == 1 ? " has it" : " have it"));
                }
                if (!time.now().isBefore(end)) {
                    faults.add("timed out waiting for " + status.words(awaited.typed()));
                    new Diagnosis(management, awaited.cluster)
                            .of(seen.owner, seen.descendants, status, !wanted.added.isEmpty()).forEach(faults::advise);
                    return Optional.empty();
                }
                rest(Duration.between(start, time.now()));
                seen = see(awaited);
            }
        }
        return over(awaited, seen, faults);
    }

    private void rest(Duration took) {
        Duration pause = took.multipliedBy(REST).compareTo(LOOK) > 0 ? took.multipliedBy(REST) : LOOK;
        Instant next = time.now().plus(pause);
        if (next.isAfter(end)) { // one more look then
            pause = Duration.between(time.now(), end);
        }
        time.sleep(pause.isNegative() ? Duration.ZERO : pause);
    }

    private static Optional<String> over(Awaited awaited, Seen seen, Faults faults) {
        if (seen.isGoing()) {
            faults.add(awaited.typed() + " is being deleted: its Nodes are not waited for");
            return Optional.empty();
        }
        return Optional.of(awaited.object() + " wants 0 Nodes: there is no Node to wait for");
    }

    private void show(Awaited awaited, Status status) {
        String lacking = status.lacking();
        progress.show(Math.min(status.updated(), status.total()), status.total(),
                lacking.isEmpty() ? "Nodes of " + awaited.typed() + " have it" : "Nodes have it; " + lacking);
    }

    private static List<Node> nodes(LiveCluster workload) {
        return workload.list(LiveCluster.NODES, "", "", "", NodeEditor::node);
    }

    private Seen see(Awaited awaited) {
        ObjectNode owner = management.get(awaited.resource, new ObjectKey(management.namespace(), awaited.name));
        return new Seen(owner,
                new OwnerDescendants(management, awaited.cluster).of(awaited.kind, owner, awaited.places));
    }
}
