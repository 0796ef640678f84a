package io.nodeward.cli.taint;

import io.nodeward.api.node.Node;
import io.nodeward.cli.explain.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * How far the Nodes of an owner are.
 *
 * @param total how many there are to be
 * @param updated how many have what is wanted
 * @param waiting those that are there and do not
 * @param without Machines that have no Node, or none any more; what is not made yet has no name
 * @param noun what has one Node each
 */
record Status(int total, int updated, List<Node> waiting, List<Descendant> without, String noun) {
    private static final int NAMED = 3;

    /** @param nodes all that there are in the workload cluster */
    static Status of(Descendants descendants, List<Node> nodes, Predicate<Node> met) {
        Set<String> named = descendants.nodes();
        List<Node> there = nodes.stream().filter(node -> named.contains(node.key().name())).toList();
        Set<String> names = there.stream().map(node -> node.key().name()).collect(Collectors.toSet());
        List<Node> waiting = there.stream().filter(met.negate()).toList();
        return new Status(descendants.total(), there.size() - waiting.size(), waiting,
                descendants.machines().stream().filter(machine -> !names.containsAll(machine.nodes())
                        || machine.nodes().isEmpty()).toList(),
                descendants.pools().isEmpty() ? "Machine" : "replica");
    }

    boolean isDone() {
        return updated >= total && waiting.isEmpty();
    }

    /** That there are Nodes that cannot have anything yet; empty if there are none. */
    String lacking() {
        int lacking = lackingNodes();
        return lacking == 0 ? ""
                : lacking + " of " + Words.counted(total, noun) + (lacking == 1 ? " has" : " have")
                        + " no Node yet";
    }

    /** What is waited for, with a few names. */
    String words(String owner) {
        List<String> parts = new ArrayList<>();
        if (!waiting.isEmpty()) {
            parts.add(named(waiting.stream().map(node -> node.key().name()).toList()));
        }
        if (lackingNodes() > 0) {
            parts.add(
                    lacking() + (without.isEmpty() ? "" : ": " + named(without.stream().map(Status::nameOf).toList())));
        }
        return (waiting.size() + lackingNodes()) + " of " + Words.counted(total, "Node") + " of " + owner
                + ": " + String.join("; ", parts);
    }

    private int lackingNodes() {
        return Math.max(0, total - updated - waiting.size());
    }

    private static String nameOf(Descendant machine) {
        return machine.name() + (machine.nodes().isEmpty() ? "" : " (its Node is gone)");
    }

    private static String named(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(NAMED, names.size())))
                + (names.size() > NAMED ? " and others" : "");
    }
}
