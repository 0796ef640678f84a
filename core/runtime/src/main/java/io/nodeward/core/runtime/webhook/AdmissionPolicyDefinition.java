package io.nodeward.core.runtime.webhook;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ValidatingAdmissionPolicy or a MutatingAdmissionPolicy with its bindings.
 *
 * @param part of its name, which distinguishes the policies of a component
 * @param spec of the policy; with a {@code paramKind} if a binding has a {@code paramRef}. Its {@code matchConstraints} select
 *     what has the watch filter's label unless they have an {@code objectSelector}, which may be empty
 */
public record AdmissionPolicyDefinition(
        AdmissionPhase phase, String part, Map<String, Object> spec, List<Binding> bindings) {

    /**
     * Puts the policy in force.
     *
     * @param part of its name, which may be the policy's
     * @param fields of its spec besides {@code policyName}: {@code validationActions}, {@code matchResources}, and a
     *     {@code paramRef} to the parameters, for each of which the policy is evaluated once
     */
    public record Binding(String part, Map<String, Object> fields) {
        public Binding {
            fields = Map.copyOf(fields);
        }

        Map<String, Object> spec(String policyName) {
            Map<String, Object> spec = new TreeMap<>(fields);
            spec.put("policyName", policyName);
            return spec;
        }
    }

    public AdmissionPolicyDefinition {
        spec = Map.copyOf(spec);
        bindings = List.copyOf(bindings);
        if (!spec.containsKey("paramKind") && bindings.stream().anyMatch(b -> b.fields().containsKey("paramRef"))) {
            throw new IllegalArgumentException("policy " + part + " has a paramRef, but no paramKind");
        }
    }
}
