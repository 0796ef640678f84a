package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.explain.PodExplanation.Answer;
import io.nodeward.core.rules.dedicated.PodGroup;
import io.nodeward.core.rules.placement.Threat;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.NodeFit;

/** A pod's prospects for programs; docs/guide/cli.md describes the fields. */
public final class PodJson {
    private PodJson() {}

    public static ObjectNode of(PodExplanation pod) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("pod", pod.pod().key().toString());
        pod.on().ifPresent(node -> json.put("on", node));
        ArrayNode groups = json.putArray("dedicatedNodes");
        pod.groups().forEach(of -> group(groups.addObject(), of));
        ArrayNode evictions = json.putArray("evictions");
        pod.threats().forEach(threat -> threat(evictions.addObject(), threat));
        json.put("schedulableNodes", pod.schedulable());
        ArrayNode nodes = json.putArray("nodes");
        pod.nodes().forEach(answer -> node(nodes.addObject(), answer));
        pod.warnings().forEach(json.putArray("warnings")::add);
        return json;
    }

    private static void group(ObjectNode json, PodGroup of) {
        json.put("name", of.group().name()).put("enforcement", of.enforcement().name())
                .put("waits", of.state() == PodGroup.State.WAITS)
                .put("conflict", of.state() == PodGroup.State.CONFLICT).put("pod", Words.camel(of.relation()))
                .put("because", of.because());
    }

    private static void threat(ObjectNode json, Threat threat) {
        json.put("taint", NodeFit.text(threat.taint()))
                .put("state", threat.there() ? "there" : threat.isFailure() ? "onFailure" : "due")
                .put("evicted", !(threat.eviction() instanceof Eviction.Never));
        Words.seconds(json, "afterSeconds", threat.eviction());
    }

    private static void node(ObjectNode json, Answer answer) {
        json.put("node", answer.node()).put("schedulable", answer.filteredOut().isEmpty());
        answer.filteredOut().ifPresent(reason -> json.put("plugin", reason.filter().plugin())
                .put("because", reason.text()));
        answer.origin().ifPresent(origin -> NodeJson.taint(json.putObject("taint"), origin));
    }
}
