package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.impact.NodeImpact;
import io.nodeward.core.rules.impact.PendingFit;
import io.nodeward.core.rules.impact.PodFate;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.List;

/** A plan for programs; docs/guide/cli.md describes its fields. */
public final class PlanJson {
    private PlanJson() {}

    public static String of(Plan plan) {
        ObjectNode json = JsonNodeFactory.instance.objectNode()
                .put("nodes", plan.nodes()).put("evictedPods", plan.evicted());
        ArrayNode changes = json.putArray("changes");
        plan.impact().nodes().forEach(node -> node(changes.addObject(), node));
        ArrayNode pending = json.putArray("pendingPods");
        plan.impact().pending().forEach(fit -> pending(pending.addObject(), fit));
        texts(json.putArray("replaced"), plan.replaced());
        texts(json.putArray("warnings"), plan.warnings());
        return json.toPrettyString() + "\n";
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
        json.put("pod", fate.pod().toString()).put("evicted", fate.isEvicted());
        if (fate.after() instanceof Eviction.After(var time)) {
            json.put("afterSeconds", time.toSeconds());
        } else if (fate.isEvicted()) {
            json.put("afterSeconds", 0);
        }
        fate.because().ifPresent(taint -> json.put("because", NodeFit.text(taint)));
        texts(json.putArray("budgets"), fate.budgets().stream().map(Object::toString).toList());
    }

    private static void pending(ObjectNode json, PendingFit fit) {
        json.put("pod", fit.pod().toString()).put("openNodes", fit.open());
        texts(json.putArray("opened"), fit.opened());
        texts(json.putArray("closed"), fit.closed());
    }

    private static void taints(ArrayNode array, List<Taint> taints) {
        taints.forEach(taint -> array.add(NodeFit.text(taint)));
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
