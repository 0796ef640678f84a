package io.nodeward.core.rules.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes a ValidatingAdmissionPolicy of the kinds that declare taints, and the binding that puts it into force. */
final class CelPolicy {
    private CelPolicy() {}

    /**
     * What must be true of an object for it to be looked at.
     *
     * @param why in a sentence
     */
    record Condition(String name, String expression, String why) {
        Map<String, String> map() {
            return Map.of("name", name, "expression", expression);
        }
    }

    /**
     * One condition.
     *
     * @param message an expression of the text for who is refused
     * @param text the same for a server that cannot make it
     */
    record Validation(String expression, String message, String text) {}

    static String yaml(String name, String action, String failurePolicy, List<Condition> conditions,
            Map<String, String> variables, List<Validation> validations) {
        StringBuilder yaml = new StringBuilder(8192);
        yaml.append("""
                # Written from the tables of core/rules, from which the webhook judges too: change it there.
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicy
                metadata:
                  name: %s
                spec:
                  failurePolicy: %s
                  matchConstraints:
                    resourceRules:
                """.formatted(name, failurePolicy));
        resources().forEach((group, plurals) -> yaml.append("""
                    - apiGroups: [%s]
                      apiVersions: ["*"]
                      operations: [CREATE, UPDATE]
                      resources: [%s]
                """.formatted(group, plurals).indent(0)));
        yaml.append("  matchConditions:\n");
        conditions.forEach(condition -> yaml.append("  # ").append(condition.why).append('\n')
                .append("  - name: ").append(condition.name).append('\n')
                .append("    expression: \"").append(condition.expression).append("\"\n"));
        yaml.append("  variables:\n");
        variables.forEach((variable, expression) -> yaml.append("  - name: ").append(variable).append('\n')
                .append("    expression: |-\n").append(expression.indent(6)));
        yaml.append("  validations:\n");
        for (Validation validation : validations) {
            yaml.append("  - expression: |-\n").append(validation.expression.indent(6))
                    .append("    messageExpression: |-\n").append(validation.message.indent(6))
                    .append("    message: |-\n").append(validation.text.indent(6))
                    .append("    reason: Invalid\n");
        }
        return yaml.append("""
                ---
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingAdmissionPolicyBinding
                metadata:
                  name: %s
                spec:
                  policyName: %s
                  validationActions: [%s]
                """.formatted(name, name, action)).toString();
    }

    /** The same as {@link #yaml} has, without the kinds it is asked of. */
    static Map<String, Object> spec(String failurePolicy, List<Condition> conditions, Map<String, String> variables,
            List<Validation> validations) {
        return Map.of(
                "failurePolicy", failurePolicy,
                "matchConditions", conditions.stream().map(Condition::map).toList(),
                "variables", variables.entrySet().stream()
                        .map(variable -> Map.of("name", variable.getKey(), "expression", variable.getValue()))
                        .toList(),
                "validations", validations.stream()
                        .map(validation -> Map.of(
                                "expression", validation.expression,
                                "messageExpression", validation.message,
                                "message", validation.text,
                                "reason", "Invalid"))
                        .toList());
    }

    private static Map<String, String> resources() {
        return Arrays.stream(DeclaringKind.values()).collect(Collectors.groupingBy(
                DeclaringKind::group, TreeMap::new,
                Collectors.mapping(DeclaringKind::plural, Collectors.joining(", "))));
    }
}
