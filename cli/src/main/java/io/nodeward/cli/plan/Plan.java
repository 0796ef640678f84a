package io.nodeward.cli.plan;

import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/**
 * What the controller would do to a fleet.
 *
 * @param nodes how many there are
 * @param warnings what was left out, each once
 */
public record Plan(int nodes, Impact impact, List<String> warnings) {
    public Plan {
        warnings = List.copyOf(warnings);
    }

    /**
     * Makes one from files.
     *
     * @param fleet the objects as they are: Nodes, Pods, budgets, and owners of Nodes
     * @param edits owners as they are to be; none of them: what is declared already
     * @throws IOException naming a file that cannot be read
     * @throws IllegalArgumentException naming an object that cannot be used
     */
    public static Plan of(List<String> fleet, List<String> edits, InputStream standardInput, Tolerance tolerance)
            throws IOException {
        Fleet objects = new Fleet(Documents.read(fleet, standardInput));
        new Edit(objects).apply(Documents.read(edits, standardInput));
        NodeSteps steps = new NodeSteps(objects);
        return new Plan(steps.steps().size(),
                Impact.of(steps.steps(), objects.pods(), objects.budgets(), tolerance),
                List.copyOf(steps.warnings()));
    }

    /** Pods that are deleted because of it, at once or later. */
    public long evicted() {
        return impact.nodes().stream().flatMap(node -> node.pods().stream()).filter(PodFate::isEvicted).count();
    }
}
