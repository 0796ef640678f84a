package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Taint;
import io.nodeward.cli.explain.Words;
import io.nodeward.cli.text.Names;
import io.nodeward.core.rules.impact.NodeImpact;
import io.nodeward.core.rules.impact.PendingFit;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.impact.PodFate.Outcome;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.List;

/** A plan for programs; docs/guide/cli.md describes its fields. */
public final class PlanJson {
    private PlanJson() {}

    public static ObjectNode of(Plan plan) {
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("nodes", plan.nodes()).put("evictedPods", Plan.evicted(plan.impact()))
                .put("noLongerEvictedPods", Plan.spared(plan.impact()))
                .put("evictionsKnown", plan.evictionsKnown(plan.impact()));
        ArrayNode changes = json.putArray("changes");
        plan.impact().nodes().forEach(node -> node(changes.addObject(), node));
        ArrayNode pending = json.putArray("pendingPods");
        plan.impact().pending().forEach(fit -> pending(pending.addObject(), fit));
        ObjectNode already = json.putObject("alreadyPending").put("evictedPods", Plan.evicted(plan.pending()))
                .put("noLongerEvictedPods", Plan.spared(plan.pending()))
                .put("evictionsKnown", plan.evictionsKnown(plan.pending()));
        ArrayNode without = already.putArray("changes");
        plan.pending().nodes().forEach(node -> node(without.addObject(), node));
        plan.replaced().forEach(json.putArray("replaced")::add);
        plan.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    /** Nodes that change, as kubectl takes them. */
    public static String names(Plan plan) {
        return Names.of(plan.impact().nodes().stream().map(node -> "node/" + node.node()));
    }

    private static void node(ObjectNode json, NodeImpact node) {
        json.put("node", node.node());
        taints(json.putArray("added"), node.taints().added());
        taints(json.putArray("removed"), node.taints().removed());
        ArrayNode changed = json.putArray("changed");
        node.taints().changed().forEach(pair -> changed.addObject()
                .put("taint", NodeFit.text(pair.after())).put("before", NodeFit.text(pair.before())));
        ArrayNode pods = json.putArray("pods");
        node.pods().forEach(fate -> pod(pods.addObject(), fate));
    }

    private static void pod(ObjectNode json, PodFate fate) {
        json.put("pod", fate.pod().toString()).put("evicted", fate.isEvicted())
                .put("outcome", outcome(fate.outcome()));
        Words.seconds(json, "afterSeconds", fate.after());
        Words.seconds(json, "beforeSeconds", fate.before());
        fate.because().ifPresent(taint -> json.put("because", NodeFit.text(taint)));
        ArrayNode budgets = json.putArray("budgets");
        fate.budgets().forEach(budget -> budgets.add(budget.toString()));
    }

    private static String outcome(Outcome outcome) {
        return switch (outcome) {
            case UNCHANGED -> "unchanged";
            case EVICTED -> "evicted";
            case AT_ONCE -> "atOnce";
            case SHORTENED -> "shortened";
            case LENGTHENED -> "lengthened";
            case NO_LONGER -> "noLonger";
        };
    }

    private static void pending(ObjectNode json, PendingFit fit) {
        json.put("pod", fit.pod().toString()).put("schedulableNodes", fit.schedulable());
        fit.nowSchedulable().forEach(json.putArray("nowSchedulable")::add);
        fit.nowFilteredOut().forEach(json.putArray("nowFilteredOut")::add);
    }

    private static void taints(ArrayNode array, List<Taint> taints) {
        taints.forEach(taint -> array.add(NodeFit.text(taint)));
    }
}
