package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.declared.GivenTaints;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.Violation;
import java.util.List;
import java.util.TreeSet;

/** Whether a list of taints may be declared. */
final class ValidateCases {
    private ValidateCases() {}

    static ObjectNode result(JsonNode c) {
        JsonNode input = Fields.object(c, "input");
        List<Violation> violations = MachineTaintRules.validate(
                "spec.taints", Fields.isTrue(input, "featureGate"), GivenTaints.of(input.path("taints")));
        TreeSet<String> reasons = new TreeSet<>();
        violations.forEach(violation -> reasons.add(violation.reason().text()));
        ObjectNode result = Answers.object().put("valid", violations.isEmpty());
        result.set("reasons", Answers.texts(reasons));
        return result;
    }
}
