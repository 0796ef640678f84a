package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.InetSocketAddress;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class DedicatedConfigTest {
    private static final Set<String> SYSTEM =
            Set.of("kube-system", "kube-node-lease", "kube-public", "nodeward-system");

    @Test
    void no_namespace_that_a_user_may_create_is_of_the_system_unless_a_flag_says_so() {
        assertThat(parsed().systemNamespaces()).isEqualTo(SYSTEM);
        assertThat(new DedicatedConfig().systemNamespaces()).isEqualTo(SYSTEM);
        assertThat(parsed("--dedicated-service=mine/nodeward").systemNamespaces()).doesNotContain("nodeward-system");
    }

    @Test
    void without_flags_a_webhook_that_is_down_keeps_no_pod_from_being_created() {
        assertThat(parsed().failurePolicy).isEqualTo(DedicatedConfig.FailurePolicy.Ignore);
        assertThat(parsed().service.names())
                .containsExactly("nodeward-dedicated.nodeward-system.svc", "nodeward-dedicated.nodeward-system");
        assertThat(parsed("--dedicated-failure-policy=Fail").failurePolicy)
                .isEqualTo(DedicatedConfig.FailurePolicy.Fail);
    }

    @Test
    void a_limit_below_one_is_refused() {
        assertThatThrownBy(() -> parsed("--dedicated-noexecute-nodes-per-minute=0").noExecuteLimit())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dedicated-noexecute-nodes-per-minute: must be 1 or more");
        assertThatThrownBy(() -> parsed("--dedicated-evictions-per-second=0").evictionLimit())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dedicated-evictions-per-second: must be 1 or more");
    }

    @Test
    void namespaces_without_which_nothing_answers_are_of_the_system_whatever_the_flags_say() {
        assertThat(parsed("--dedicated-system-namespaces=a", "--dedicated-service=mine/nodeward").systemNamespaces())
                .containsExactlyInAnyOrder("a", "kube-system", "mine");
        assertThat(
                parsed("--dedicated-system-namespaces=a", "--dedicated-service=https://127.0.0.1:1").systemNamespaces())
                .containsExactlyInAnyOrder("a", "kube-system");
    }

    private static DedicatedConfig parsed(String... arguments) {
        DedicatedConfig config = new DedicatedConfig();
        CommandLine command = new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(config));
        command.registerConverter(InetSocketAddress.class, text -> new InetSocketAddress(9444));
        command.registerConverter(WebhookClientConfig.class, WebhookClientConfig::parse);
        command.parseArgs(arguments);
        return config;
    }
}
