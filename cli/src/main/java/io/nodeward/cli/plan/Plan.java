package io.nodeward.cli.plan;

import io.nodeward.api.node.Node;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Documents;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.IOException;
import java.io.InputStream;
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
     * What to plan.
     *
     * @param fleet files with the objects as they are: Nodes, Pods, budgets, and owners of Nodes
     * @param edits files with owners as they are to be; none: what is declared already
     * @param namespace of objects that name none; empty for none
     * @param cluster whose Machines are meant; empty if there is but one
     */
    public record Request(
            List<String> fleet,
            List<String> edits,
            String namespace,
            String cluster,
            Initialization initialization,
            Tolerance tolerance) {
        public Request {
            fleet = List.copyOf(fleet);
            edits = List.copyOf(edits);
        }
    }

    /**
     * Makes one from files.
     *
     * @throws IOException naming a file that cannot be read
     * @throws IllegalArgumentException naming an object that cannot be used, or what is missing
     */
    public static Plan of(Request request, InputStream standardInput) throws IOException {
        Documents.Reading reading = new Documents.Reading(request.namespace, false, standardInput);
        List<Document> edited = Documents.read(request.edits, reading);
        if (edited.isEmpty() && !request.edits.isEmpty()) {
            throw new IllegalArgumentException("there is no object in " + String.join(", ", request.edits));
        }
        Fleet fleet = new Fleet(Documents.read(request.fleet, reading), request.cluster);
        List<Node> before = fleet.nodes();
        if (before.isEmpty()) {
            throw new IllegalArgumentException("there is no Node in " + String.join(", ", request.fleet));
        }
        Set<String> warnings = new LinkedHashSet<>();
        Edit edit = new Edit(fleet, warnings);
        edit.apply(edited);
        List<Impact.Step> steps = NodeSteps.of(before, fleet, request.initialization, warnings);
        Impact impact = Impact.of(steps, fleet.pods(), fleet.budgets(), request.tolerance);
        return new Plan(before.size(), impact, edit.replaced(), List.copyOf(warnings));
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
