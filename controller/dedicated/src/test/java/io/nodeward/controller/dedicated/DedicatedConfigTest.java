package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DedicatedConfigTest {
    private static final Set<String> SYSTEM = Set.of("kube-system", "kube-node-lease", "kube-public", "calico-system",
            "tigera-operator", "kube-flannel", "cilium", "nodeward-system");

    @Test
    void namespaces_of_the_usual_cnis_are_of_the_system_with_flags_and_without() {
        assertThat(parsed().systemNamespaces()).isEqualTo(SYSTEM);
        assertThat(new DedicatedConfig().systemNamespaces()).isEqualTo(SYSTEM);
        assertThat(parsed("--dedicated-system-namespaces=a,b").systemNamespaces()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void a_limit_below_one_is_refused() {
        assertThatThrownBy(() -> parsed("--dedicated-noexecute-nodes-per-minute=0").noExecuteLimit())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dedicated-noexecute-nodes-per-minute: must be 1 or more");
    }

    private static DedicatedConfig parsed(String... arguments) {
        return CommandLine.populateCommand(new DedicatedConfig(), arguments);
    }
}
