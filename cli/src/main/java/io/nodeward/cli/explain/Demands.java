package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.placement.Demand;
import io.nodeward.core.rules.placement.NodeTerm;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.StreamSupport;

/** Reads what a pod asks of Nodes. */
final class Demands {
    private static final String TERMS =
            "/spec/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution/nodeSelectorTerms";

    private Demands() {}

    /** Of a pod that has a Node already, as if it were scheduled anew: its Node is then not asked for by name. */
    static Demand of(JsonNode json, Pod pod) {
        Map<String, String> selector = new LinkedHashMap<>();
        json.at("/spec/nodeSelector").properties().forEach(
                label -> selector.put(label.getKey(), label.getValue().asText()));
        JsonNode terms = json.at(TERMS);
        List<String> gates = new ArrayList<>();
        json.at("/spec/schedulingGates").forEach(gate -> gates.add(gate.path("name").asText()));
        return new Demand(pod.tolerations(), pod.phase().isEmpty() ? pod.nodeName() : "", selector,
                terms.isArray() ? Optional.of(terms(terms)) : Optional.empty(), gates);
    }

    private static List<NodeTerm> terms(JsonNode terms) {
        List<NodeTerm> read = new ArrayList<>();
        terms.forEach(term -> read.add(new NodeTerm(
                requirements(term.path("matchExpressions")), requirements(term.path("matchFields")))));
        return read;
    }

    private static List<Requirement> requirements(JsonNode expressions) {
        List<Requirement> requirements = new ArrayList<>();
        expressions.forEach(expression -> requirements.add(new Requirement(expression.path("key").asText(),
                operator(expression.path("operator").asText()),
                StreamSupport.stream(expression.path("values").spliterator(), false)
                        .map(JsonNode::asText).sorted().toList())));
        return requirements;
    }

    private static Operator operator(String text) {
        return switch (text) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            case "Gt" -> Operator.GREATER;
            case "Lt" -> Operator.LESS;
            default -> throw new IllegalArgumentException(
                    "spec.affinity.nodeAffinity: unknown operator \"" + text + '"');
        };
    }
}
