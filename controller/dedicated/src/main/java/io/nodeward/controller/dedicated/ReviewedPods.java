package io.nodeward.controller.dedicated;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * About which pods API servers ask.
 *
 * @param failurePolicy what they do with these while nobody answers
 * @param spared namespaces whose pods they do not ask about
 */
record ReviewedPods(DedicatedConfig.FailurePolicy failurePolicy, Set<String> spared) {
    /**
     * Of a webhook.
     *
     * @param operations of pods themselves: subresources, as ephemeralcontainers and binding, are others
     * @param more what it has alone
     */
    Map<String, Object> fields(List<String> operations, Map<String, Object> more) {
        return fields(Map.of("apiGroups", List.of(""), "apiVersions", List.of("v1"),
                "operations", operations, "resources", List.of("pods"), "scope", "Namespaced"), more);
    }

    /** Returns the fields of a webhook for the claims of these pods. The specs of claims are immutable. */
    Map<String, Object> fieldsOfClaims() {
        return fields(Map.of("apiGroups", List.of("resource.k8s.io"), "apiVersions", List.of("v1"),
                "operations", List.of("CREATE"), "resources", List.of("resourceclaims"), "scope", "Namespaced"),
                Map.of());
    }

    private Map<String, Object> fields(Map<String, Object> rule, Map<String, Object> more) {
        Map<String, Object> fields = new HashMap<>(more);
        fields.put("failurePolicy", failurePolicy.name());
        fields.put("objectSelector", Map.of());
        fields.put("namespaceSelector", Map.of("matchExpressions", List.of(Map.of(
                "key", "kubernetes.io/metadata.name", "operator", "NotIn",
                "values", List.copyOf(new TreeSet<>(spared))))));
        fields.put("rules", List.of(rule));
        return fields;
    }
}
