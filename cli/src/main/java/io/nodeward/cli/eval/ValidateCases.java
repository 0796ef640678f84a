package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaredTaint;
import io.nodeward.core.rules.validation.Given;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;

/** Whether a list of taints may be declared. */
final class ValidateCases {
    private ValidateCases() {}

    static ObjectNode result(JsonNode c) {
        JsonNode input = Fields.object(c, "input");
        List<Violation> violations = MachineTaintRules.validate(
                "spec.taints", Fields.isTrue(input, "featureGate"), list(input.path("taints")));
        TreeSet<String> reasons = new TreeSet<>();
        violations.forEach(violation -> reasons.add(violation.reason().text()));
        ObjectNode result = Answers.object().put("valid", violations.isEmpty());
        result.set("reasons", Answers.texts(reasons));
        return result;
    }

    private static Given<List<Given<DeclaredTaint>>> list(JsonNode json) {
        return given(json, JsonNodeType.ARRAY, array -> {
            List<Given<DeclaredTaint>> items = new ArrayList<>();
            array.forEach(item -> items.add(given(item, JsonNodeType.OBJECT, ValidateCases::declared)));
            return items;
        });
    }

    private static DeclaredTaint declared(JsonNode item) {
        return new DeclaredTaint(
                text(item.path("key")), text(item.path("value")), text(item.path("effect")),
                text(item.path("propagation")));
    }

    private static Given<String> text(JsonNode json) {
        return given(json, JsonNodeType.STRING, JsonNode::textValue);
    }

    private static <T> Given<T> given(JsonNode json, JsonNodeType type, Function<JsonNode, T> read) {
        if (json.isMissingNode() || json.isNull()) {
            return Given.absent();
        }
        return json.getNodeType() == type
                ? Given.of(read.apply(json))
                : Given.wrongType(json.getNodeType().name().toLowerCase(Locale.ROOT));
    }
}
