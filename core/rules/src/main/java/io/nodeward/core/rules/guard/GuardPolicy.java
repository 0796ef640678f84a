package io.nodeward.core.rules.guard;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A NodeTaintGuard as a ValidatingAdmissionPolicy and its binding. Both specs have every field that an API server sets by default:
 * they are compared as a whole, because a field that another client adds can take all requests from a policy.
 */
public final class GuardPolicy {
    /** CEL for the groups of who asks, which may be none. */
    static final String GROUPS = "(has(request.userInfo.groups) ? request.userInfo.groups : [])";

    /** CEL for a new Node without a taint of its creator: API servers give each new Node the taint that it is not ready. */
    private static final String CREATED = "dyn({\"spec\": {\"taints\":"
            + " [{\"key\": \"node.kubernetes.io/not-ready\", \"effect\": \"NoSchedule\"}]}})";

    private GuardPolicy() {}

    /**
     * Returns the spec of the policy.
     *
     * @param name of the guard, for the message
     * @param guard without {@link GuardFaults}
     * @param always users that each guard exempts
     */
    public static Tree policy(String name, NodeTaintGuard guard, Collection<String> always) {
        return Tree.of(Map.of(
                "failurePolicy", "Fail",
                "matchConstraints", Map.of(
                        "matchPolicy", "Equivalent",
                        "namespaceSelector", Map.of(),
                        "objectSelector", Map.of(),
                        "resourceRules", List.of(Map.of(
                                "apiGroups", List.of(""),
                                "apiVersions", List.of("v1"),
                                "operations", List.of("CREATE", "UPDATE"),
                                "resources", List.of("nodes"),
                                "scope", "*"))),
                "matchConditions", matchConditions(guard.exempt(), always),
                "variables", List.of(
                        Map.of("name", "before", "expression", guarded("oldObject == null ? " + CREATED
                                + " : oldObject", guard)),
                        Map.of("name", "after", "expression", guarded("object", guard))),
                "validations", List.of(validation(name, guard))));
    }

    /**
     * Returns the spec of the binding. An error in the policy has the same effect as a change that it does not allow.
     *
     * @param policy its name
     */
    public static Tree binding(String policy, EnforcementMode enforcement) {
        return Tree.of(Map.of("policyName", policy, "validationActions", switch (enforcement) {
            case Audit -> List.of("Audit");
            case Warn -> List.of("Warn", "Audit");
            case Enforce -> List.of("Deny");
        }));
    }

    /** Returns whether a binding refuses requests. */
    public static boolean denies(Tree binding) {
        return binding.at("validationActions").elements().stream().anyMatch(action -> action.string().equals("Deny"));
    }

    /** Each is false for some who are exempt: for them, the policy is not evaluated at all, whatever that would cost. */
    private static List<Map<String, String>> matchConditions(NodeTaintGuard.Exempt exempt, Collection<String> always) {
        List<Component> components = exempt.components().orElseGet(Component::texts).stream()
                .flatMap(text -> Component.of(text).stream()).sorted().toList();
        TreeSet<String> users = new TreeSet<>(always);
        users.addAll(exempt.users());
        components.forEach(component -> users.addAll(component.users));
        exempt.serviceAccounts().forEach(
                account -> users.add("system:serviceaccount:" + account.replace('/', ':')));
        List<Map<String, String>> conditions = new ArrayList<>();
        conditions.add(not("users", "request.userInfo.username in " + texts(users)));
        if (!exempt.groups().isEmpty()) {
            conditions.add(not("groups", GROUPS + ".exists(g, g in " + texts(new TreeSet<>(exempt.groups())) + ")"));
        }
        components.stream().filter(component -> !component.condition.isEmpty())
                .forEach(component -> conditions.add(not(component.text, component.condition)));
        return conditions;
    }

    private static Map<String, String> not(String name, String condition) {
        return Map.of("name", "not-exempt-" + name, "expression", "!(" + condition + ")");
    }

    /** CEL for what of an object is guarded. */
    private static String guarded(String object, NodeTaintGuard guard) {
        String all =
                "(" + object + ")" + (isSpec(guard) ? ".?spec.orValue(dyn({}))" : ".?spec.?taints.orValue(dyn([]))");
        return guard.keyPrefixes().isEmpty() ? all : all + ".filter(t, " + guard.keyPrefixes().stream().sorted()
                .map(prefix -> "t.key.startsWith(" + Quoted.of(prefix) + ")").collect(Collectors.joining(" || ")) + ")";
    }

    /**
     * Taints may change their places. Only if they differ, each is looked for, which costs the square of their number. A new Node has
     * no more than what is in {@link #CREATED}.
     */
    private static Map<String, String> validation(String name, NodeTaintGuard guard) {
        String same = "variables.after == variables.before || ";
        String message = "NodeTaintGuard " + name + " does not let this user change "
                + (isSpec(guard) ? "spec" : "guarded taints in spec.taints");
        return Map.of(
                "expression", same + (isSpec(guard) ? "oldObject == null && variables.after == dyn({})"
                        : "(oldObject == null || variables.after.size() == variables.before.size())"
                                + " && variables.after.all(t, t in variables.before)"),
                "message", message,
                "messageExpression", Quoted.of(message + ": ") + " + request.userInfo.username",
                "reason", "Forbidden");
    }

    private static boolean isSpec(NodeTaintGuard guard) {
        return guard.scope().equals(NodeTaintGuard.SPEC);
    }

    /** Texts in quotes are literals of CEL, whatever they hold. */
    private static String texts(Collection<String> texts) {
        return texts.stream().map(Quoted::of).collect(Collectors.joining(", ", "[", "]"));
    }
}
