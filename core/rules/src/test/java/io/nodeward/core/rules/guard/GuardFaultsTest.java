package io.nodeward.core.rules.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.guard.NodeTaintGuard;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GuardFaultsTest {
    @Test
    void what_a_guard_can_mean_has_no_fault() {
        assertThat(faults(Map.of())).isEmpty();
        assertThat(faults(Map.of("scope", "Spec", "enforcement", "Enforce"))).isEmpty();
        assertThat(faults(Map.of("scope", "Taints", "keyPrefixes", List.of("a"), "exempt", Map.of(
                "components", Component.texts(), "users", List.of("u"), "groups", List.of("g"),
                "serviceAccounts", List.of("ns/name"))))).isEmpty();
    }

    @Test
    void each_fault_names_its_field() {
        assertThat(faults(Map.of("scope", "Status", "keyPrefixes", List.of("a", 1), "exempt", Map.of(
                "components", List.of("Kubelets", "Kubelet"), "users", List.of(""), "groups", List.of("g", ""),
                "serviceAccounts", List.of("name", "a/b/c", "a:b/c", "a/b"))))).containsExactly(
                        "spec.scope: must be Taints or Spec, and is 'Status'",
                        "spec.keyPrefixes[1]: must be a text that is not empty, and is ''",
                        "spec.exempt.components[1]: must be one of Kubelets, NodeLifecycle, CloudControllers,"
                                + " ClusterAutoscaler, ClusterAPI, Karpenter, NetworkPlugins, Kubeadm, and is 'Kubelet'",
                        "spec.exempt.users[0]: must be a text that is not empty, and is ''",
                        "spec.exempt.groups[1]: must be a text that is not empty, and is ''",
                        "spec.exempt.serviceAccounts[0]: must be namespace/name, and is 'name'",
                        "spec.exempt.serviceAccounts[1]: must be namespace/name, and is 'a/b/c'",
                        "spec.exempt.serviceAccounts[2]: must be namespace/name, and is 'a:b/c'");
        assertThat(faults(Map.of("scope", "Spec", "keyPrefixes", List.of("a"))))
                .containsExactly("spec.keyPrefixes: may only be set together with spec.scope Taints");
    }

    private static List<String> faults(Map<String, Object> spec) {
        return GuardFaults.of(NodeTaintGuard.of(Tree.of(spec)));
    }
}
