package io.nodeward.cli.plan;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.explain.Words;
import io.nodeward.core.rules.impact.Impact;
import io.nodeward.core.rules.impact.NodeImpact;
import io.nodeward.core.rules.impact.PendingFit;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.impact.TaintDifference;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The tables of a plan, as text in cells. */
final class PlanRows {
    static final List<String> NODES = List.of("NODE", "", "TAINT");
    static final List<String> PODS = List.of("NODE", "POD", "DELETED", "BECAUSE OF", "BUDGET");
    static final List<String> PENDING = List.of("POD", "", "NODES");
    private static final int SHOWN = 3;

    private PlanRows() {}

    static List<List<String>> nodes(Impact impact) {
        List<List<String>> rows = new ArrayList<>();
        for (NodeImpact node : impact.nodes()) {
            TaintDifference taints = node.taints();
            taints.removed().forEach(taint -> rows.add(List.of(node.node(), "-", NodeFit.text(taint))));
            taints.changed().forEach(changed -> rows.add(List.of(node.node(), "~",
                    NodeFit.text(changed.after()) + " (was " + NodeFit.text(changed.before()) + ")")));
            taints.added().forEach(taint -> rows.add(List.of(node.node(), "+", NodeFit.text(taint))));
        }
        return rows;
    }

    static List<List<String>> pods(Impact impact) {
        List<List<String>> rows = new ArrayList<>();
        for (NodeImpact node : impact.nodes()) {
            for (PodFate fate : node.pods()) {
                rows.add(List.of(node.node(), fate.pod().toString(), deleted(fate),
                        fate.because().map(NodeFit::text).orElse(""),
                        fate.budgets().stream().map(ObjectKey::name).collect(Collectors.joining(","))));
            }
        }
        return rows;
    }

    static List<List<String>> pending(Plan plan) {
        List<List<String>> rows = new ArrayList<>();
        for (PendingFit fit : plan.impact().pending()) {
            add(rows, fit.pod().toString(), "+", fit.nowSchedulable());
            add(rows, fit.pod().toString(), "-", fit.nowFilteredOut());
        }
        return rows;
    }

    /** Adds a row with a few names: no user reads a table of many Nodes. */
    private static void add(List<List<String>> rows, String pod, String sign, List<String> nodes) {
        if (!nodes.isEmpty()) {
            rows.add(List.of(pod, sign, Words.some(nodes, SHOWN)));
        }
    }

    private static String deleted(PodFate fate) {
        return switch (fate.outcome()) {
            case EVICTED, UNCHANGED -> Words.when(fate.after());
            case AT_ONCE -> "at once, not " + Words.when(fate.before());
            case SHORTENED -> "as timed: " + Words.when(fate.before()) + "; anew: " + Words.when(fate.after());
            case LENGTHENED -> "as timed: " + Words.when(fate.before()) + ", not " + Words.when(fate.after());
            case NO_LONGER -> "no longer, was " + Words.when(fate.before());
        };
    }
}
