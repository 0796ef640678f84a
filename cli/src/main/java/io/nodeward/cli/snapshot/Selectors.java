package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** Reads {@code spec.selector} of an object that selects pods. */
final class Selectors {
    private Selectors() {}

    static LabelSelector of(Manifest manifest) {
        JsonNode selector = manifest.json().at("/spec/selector");
        List<Requirement> requirements = new ArrayList<>();
        selector.path("matchLabels").properties().forEach(label -> requirements.add(
                new Requirement(label.getKey(), Operator.IN, List.of(label.getValue().asText()))));
        selector.path("matchExpressions").forEach(expression -> requirements.add(requirement(expression, manifest)));
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(JsonNode expression, Manifest manifest) {
        String operator = expression.path("operator").asText();
        List<String> values = StreamSupport.stream(expression.path("values").spliterator(), false)
                .map(JsonNode::asText).sorted().toList();
        return new Requirement(expression.path("key").asText(), switch (operator) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            default -> throw manifest.error("spec.selector: unknown operator \"" + operator + '"');
        }, values);
    }
}
