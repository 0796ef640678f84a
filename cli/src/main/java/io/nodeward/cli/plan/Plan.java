package io.nodeward.cli.plan;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.origin.Situation.Gates;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the controller would do to a fleet.
 *
 * @param nodes how many there are
 * @param replaced owners whose Machines the edit replaces, with all that runs on them, which is not planned
 * @param warnings what was left out, each once
 */
public record Plan(int nodes, Impact impact, List<String> replaced, List<String> warnings) {
    public Plan {
        replaced = List.copyOf(replaced);
        warnings = List.copyOf(warnings);
    }

    /**
     * What the controller does once a fleet is edited.
     *
     * @param fleet the objects as they are: Nodes, Pods, budgets, and owners of Nodes; edited by this
     * @param where it was found, for an error
     * @param edited owners as they are to be; none: what is declared already
     * @param gates those of the controller
     * @throws IllegalArgumentException naming an object that cannot be used, or what is missing
     */
    public static Plan of(
            Fleet fleet, String where, List<Document> edited, Gates gates, Tolerance tolerance) {
        List<Node> before = fleet.nodes();
        if (before.isEmpty()) {
            throw new IllegalArgumentException("there is no Node in " + where);
        }
        if (edited.stream().allMatch(Plan::isOwner) && fleet.machines().isEmpty() && fleet.pools().isEmpty()) {
            throw new IllegalArgumentException("there is no Machine or MachinePool of " + fleet.whose() + " in " + where
                    + ": what is declared for its Nodes is not known");
        }
        Set<String> warnings = new LinkedHashSet<>();
        Edit edit = new Edit(fleet, warnings);
        edit.apply(edited);
        List<Impact.Step> steps = NodeSteps.of(before, fleet, gates, warnings);
        Impact impact = Impact.of(steps, fleet.pods(), fleet.budgets(), tolerance);
        return new Plan(before.size(), impact, edit.replaced(), List.copyOf(warnings));
    }

    private static boolean isOwner(Document edited) {
        return edited.id().group().equals(ClusterApi.GROUP);
    }

    /** Whether anything happens at all. */
    public boolean isEmpty() {
        return impact.isEmpty() && replaced.isEmpty();
    }

    /** Pods that are deleted because of it, at once or later. */
    public long evicted() {
        return impact.nodes().stream().flatMap(node -> node.pods().stream()).filter(PodFate::isEvicted).count();
    }
}
