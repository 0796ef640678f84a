package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class AdmissionConfigTest {
    private static AdmissionConfig parsed(String... arguments) {
        AdmissionConfig config = new AdmissionConfig();
        CommandLine command = new CommandLine(CommandLine.Model.CommandSpec.forAnnotatedObject(config));
        command.registerConverter(InetSocketAddress.class, text -> new InetSocketAddress(9443));
        command.registerConverter(WebhookClientConfig.class, WebhookClientConfig::parse);
        command.parseArgs(arguments);
        return config;
    }

    @Test
    void without_flags_it_is_a_webhook_that_locks_nobody_out() {
        AdmissionConfig config = parsed();
        assertThat(config.mode).isEqualTo(AdmissionConfig.Mode.webhook);
        assertThat(config.failurePolicy).isEqualTo(AdmissionConfig.FailurePolicy.Ignore);
        assertThat(config.enforcement).isEqualTo(Enforcement.Enforce);
        assertThat(config.gate).isEqualTo(Enforcement.Enforce);
        assertThat(config.service.names())
                .containsExactly("nodeward-admission.nodeward-system.svc", "nodeward-admission.nodeward-system");
        assertThat(config.secret).isNull();
    }

    @Test
    void flags_are_in_the_words_of_the_page() {
        AdmissionConfig config = parsed("--admission-mode=policy", "--admission-enforcement=Warn",
                "--admission-gate=Off", "--admission-failure-policy=Fail", "--admission-secret=a/b",
                "--admission-service=https://[::1]:8443/");
        assertThat(config.mode).isEqualTo(AdmissionConfig.Mode.policy);
        assertThat(config.enforcement).isEqualTo(Enforcement.Warn);
        assertThat(config.gate).isEqualTo(Enforcement.Off);
        assertThat(config.failurePolicy).isEqualTo(AdmissionConfig.FailurePolicy.Fail);
        assertThat(config.secret).isEqualTo(new ObjectKey("a", "b"));
        assertThat(config.service.names()).isEqualTo(List.of("::1"));
        assertThat(config.service.client("/p")).containsEntry("url", "https://[::1]:8443/p");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--admission-mode=both", "--admission-enforcement=deny", "--admission-enforcement=warn",
            "--admission-failure-policy=ignore",
            "--admission-secret=b", "--admission-secret=a/b/c", "--admission-service=http://h:1",
            "--admission-service=https://h:1/path", "--admission-service=https://", "--admission-service=name",
            "--admission-service=A/b", "--admission-service=a/b:c", "--admission-service=a/b:99999999"})
    void what_cannot_be_used_is_said(String argument) {
        assertThatThrownBy(() -> parsed(argument)).isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageContaining(argument.substring(argument.indexOf('=') + 1));
    }
}
