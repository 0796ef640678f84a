package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Eviction.After;
import io.nodeward.core.rules.toleration.Eviction.Never;
import io.nodeward.core.rules.toleration.Eviction.Now;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.NodeScore;
import io.nodeward.core.rules.toleration.Tolerance;
import io.nodeward.core.rules.toleration.TolerationCover;
import io.nodeward.core.rules.toleration.TolerationRules;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.NodeTaintRules;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is tolerated, and what follows from it. */
final class TolerateCases {
    private TolerateCases() {}

    static ObjectNode result(JsonNode c) {
        Tolerance tolerance = new Tolerance(Fields.isTrue(c, "comparisonOperators"));
        String kind = Fields.text(c, "kind");
        return switch (kind) {
            case "match" -> Answers.object().put("tolerates", tolerance.tolerates(
                    Fields.toleration(Fields.object(c, "toleration")), Fields.taint(Fields.object(c, "taint"))));
            case "filter" -> filter(c, tolerance);
            case "nodeEviction" -> eviction(
                    Eviction.of(Fields.taints(c), Fields.tolerations(c, "tolerations"), tolerance));
            case "score" -> score(c, tolerance);
            case "validateTolerations" -> faults(
                    TolerationRules.validate("tolerations", Fields.tolerations(c, "tolerations"), tolerance));
            case "validateTaints" -> faults(NodeTaintRules.validate("taints", Fields.taints(c)));
            case "whitelist" -> Answers.object().put("allowed", TolerationCover.refused(
                    Fields.tolerations(c, "tolerations"), Fields.tolerations(c, "whitelist")).isEmpty());
            case "merge" -> merge(c);
            case "device" -> device(c);
            default -> throw new UnusableCaseException("unknown kind: \"" + kind + "\"");
        };
    }

    private static ObjectNode filter(JsonNode c, Tolerance tolerance) {
        NodeFit fit = NodeFit.of(Fields.taints(c), Fields.tolerations(c, "tolerations"), tolerance);
        ObjectNode result = Answers.object().put("schedulable", fit.schedulable());
        fit.scheduling().ifPresentOrElse(
                taint -> result.put("firstUntolerated", NodeFit.text(taint)), () -> result.putNull("firstUntolerated"));
        return result.put("kubeletAdmits", fit.admitted());
    }

    private static ObjectNode eviction(Eviction eviction) {
        ObjectNode result = Answers.object();
        return switch (eviction) {
            case Never() -> result.put("evict", "never");
            case Now() -> result.put("evict", "now");
            case After(var time) -> result.put("evict", "after").put("seconds", time.toSeconds());
        };
    }

    private static ObjectNode score(JsonNode c, Tolerance tolerance) {
        Map<String, List<Taint>> nodes = new TreeMap<>();
        Fields.objects(c, "nodes", node -> node).forEach(node -> {
            if (nodes.put(Fields.text(node, "name"), Fields.taints(node)) != null) {
                throw new UnusableCaseException("nodes have one name twice");
            }
        });
        ObjectNode counts = Answers.object();
        ObjectNode scores = Answers.object();
        ArrayNode order = Answers.array();
        for (NodeScore node : NodeScore.rank(nodes, Fields.tolerations(c, "tolerations"), tolerance)) {
            counts.put(node.node(), node.intolerable());
            scores.put(node.node(), node.score());
            order.add(node.node());
        }
        ObjectNode result = Answers.object();
        result.set("intolerablePreferNoSchedule", counts);
        result.set("orderBestFirst", order);
        result.set("score", scores);
        return result;
    }

    private static ObjectNode faults(List<FieldFault> faults) {
        ArrayNode errors = Answers.array();
        for (FieldFault fault : faults) {
            errors.addObject().put("field", fault.field()).put("type", fault.type().reason());
        }
        ObjectNode result = Answers.object().put("valid", faults.isEmpty());
        result.set("errors", errors);
        return result;
    }

    private static ObjectNode merge(JsonNode c) {
        ObjectNode result = Answers.object();
        result.set("merged", Answers.tolerations(TolerationCover.merge(
                Fields.tolerations(c, "tolerations"), Fields.tolerations(c, "defaults"))));
        return result;
    }

    private static ObjectNode device(JsonNode c) {
        List<DeviceTaint> taints = Fields.objects(c, "deviceTaints", t -> new DeviceTaint(
                Fields.text(t, "key"), Fields.text(t, "value"), Fields.text(t, "effect"), Instant.EPOCH));
        DeviceVerdict verdict = DeviceVerdict.of(taints, Fields.tolerations(c, "deviceTolerations"));
        ObjectNode result = Answers.object().put("allocatable", verdict.allocatable());
        verdict.evictAt().ifPresentOrElse(
                at -> result.put("evict", "at").put("secondsAfterEpoch", at.getEpochSecond()),
                () -> result.put("evict", "never"));
        return result;
    }
}
