package io.nodeward.core.rules.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.guard.NodeTaintGuard;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the expressions do is shown on a server, by GuardTest of the e2e suites. */
class GuardPolicyTest {
    private static final String NODEWARD = "system:serviceaccount:nodeward-system:nodeward";

    @Test
    void whatever_a_name_holds_stays_in_its_literal() {
        Tree policy = policy(Map.of(
                "keyPrefixes", List.of("a\") || true || t.key.startsWith(\"b"),
                "exempt", Map.of("components", List.of(), "users", List.of("x\"] || true || \"y\" in [\"", "a\\"),
                        "groups", List.of("new\nline"))));
        assertThat(conditions(policy)).containsExactly(
                "not-exempt-users !(request.userInfo.username in [\"a\\\\\", \"" + NODEWARD
                        + "\", \"x\\\"] || true || \\\"y\\\" in [\\\"\"])",
                "not-exempt-groups !((has(request.userInfo.groups) ? request.userInfo.groups : [])"
                        + ".exists(g, g in [\"new\\nline\"]))");
        assertThat(variable(policy, 1)).isEqualTo("(object).?spec.?taints.orValue(dyn([]))"
                + ".filter(t, t.key.startsWith(\"a\\\") || true || t.key.startsWith(\\\"b\"))");
    }

    @Test
    void without_a_list_of_components_all_are_exempt_and_with_an_empty_one_none() {
        assertThat(conditions(policy(Map.of()))).extracting(condition -> condition.split(" ", 2)[0]).containsExactly(
                "not-exempt-users", "not-exempt-Kubelets", "not-exempt-ClusterAPI", "not-exempt-Kubeadm");
        assertThat(conditions(policy(Map.of("exempt", Map.of("components", List.of()))))).containsExactly(
                "not-exempt-users !(request.userInfo.username in [\"" + NODEWARD + "\"])");
        assertThat(conditions(policy(Map.of("exempt", Map.of("components", List.of("Karpenter"),
                "serviceAccounts", List.of("tools/tainter")))))).containsExactly(
                        "not-exempt-users !(request.userInfo.username in [\"system:serviceaccount:karpenter:karpenter\","
                                + " \"system:serviceaccount:kube-system:karpenter\", \"" + NODEWARD
                                + "\", \"system:serviceaccount:tools:tainter\"])");
    }

    @Test
    void two_spellings_of_one_guard_have_one_policy() {
        assertThat(policy(Map.of("keyPrefixes", List.of("a", "b"), "exempt", Map.of("users", List.of("x", "y")))))
                .isEqualTo(policy(
                        Map.of("keyPrefixes", List.of("b", "a"), "exempt", Map.of("users", List.of("y", "x")))));
    }

    @Test
    void the_binding_has_the_actions_of_its_enforcement_alone() {
        assertThat(actions(EnforcementMode.Audit)).containsExactly("Audit");
        assertThat(actions(EnforcementMode.Warn)).containsExactly("Warn", "Audit");
        assertThat(actions(EnforcementMode.Enforce)).containsExactly("Deny");
    }

    private static List<String> actions(EnforcementMode mode) {
        return GuardPolicy.binding("p", mode).at("validationActions").elements().stream().map(Tree::string).toList();
    }

    private static Tree policy(Map<String, Object> spec) {
        return GuardPolicy.policy("g", NodeTaintGuard.of(Tree.of(spec)), Set.of(NODEWARD));
    }

    private static List<String> conditions(Tree policy) {
        return policy.at("matchConditions").elements().stream()
                .map(condition -> condition.at("name").string() + " " + condition.at("expression").string()).toList();
    }

    private static String variable(Tree policy, int index) {
        return policy.at("variables").elements().get(index).at("expression").string();
    }
}
