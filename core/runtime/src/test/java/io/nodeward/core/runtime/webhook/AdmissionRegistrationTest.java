package io.nodeward.core.runtime.webhook;

import static io.nodeward.core.runtime.webhook.WebhookFixture.OBJECTS;
import static io.nodeward.core.runtime.webhook.WebhookFixture.PODS;
import static io.nodeward.core.runtime.webhook.WebhookFixture.allowing;
import static io.nodeward.core.runtime.webhook.WebhookFixture.serving;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.meta.ObjectKey;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A registration that no API server would take, or nobody would see, is a defect of the component: it does not start. */
class AdmissionRegistrationTest {
    private static final AdmissionRegistration NOTHING = AdmissionRegistration.of(OBJECTS, serving(), true);

    @Test
    void two_webhooks_share_neither_path_nor_name_within_a_phase() {
        Webhook one = allowing(AdmissionPhase.VALIDATING, "/a");
        refused(List.of(one, allowing(AdmissionPhase.MUTATING, "/a")), "two webhooks have /a");
        refused(List.of(one, new Webhook(one.phase(), one.name(), "/b", one.shape(), one.handler(), one.fields())),
                one.name());
    }

    private static void refused(List<Webhook> webhooks, String why) {
        assertThatThrownBy(() -> NOTHING.withWebhooks(webhooks))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining(why);
    }

    @Test
    void a_webhook_of_a_phase_whose_kinds_the_component_has_no_rights_on_is_refused() {
        ManagedObjects validating =
                new ManagedObjects("test", "", Set.of(AdmissionPhase.VALIDATING), OBJECTS.service());
        List<Webhook> webhooks = List.of(allowing(AdmissionPhase.MUTATING, "/m"));
        AdmissionRegistration registration = AdmissionRegistration.of(validating, serving(), true);
        assertThatThrownBy(() -> registration.withWebhooks(webhooks)).hasMessageContaining("no phase");
    }

    @Test
    void two_policies_or_bindings_of_a_phase_share_no_name() {
        AdmissionPolicyDefinition one = policy(AdmissionPhase.VALIDATING, "a", "x");
        refusedPolicies(List.of(one, policy(AdmissionPhase.VALIDATING, "a", "y")),
                "two policies have VALIDATING nodeward-test-a");
        refusedPolicies(List.of(one, policy(AdmissionPhase.VALIDATING, "b", "x")),
                "two bindings have VALIDATING nodeward-test-x");
        assertThat(NOTHING.withPolicies(() -> List.of(one, policy(AdmissionPhase.MUTATING, "a", "x"))).policies()
                .orElseThrow().get()).hasSize(2);
    }

    private static AdmissionPolicyDefinition policy(AdmissionPhase phase, String name, String binding) {
        return new AdmissionPolicyDefinition(phase, name, Map.of(),
                List.of(new AdmissionPolicyDefinition.Binding(binding, Map.of())));
    }

    private static void refusedPolicies(List<AdmissionPolicyDefinition> policies, String why) {
        assertThatThrownBy(() -> NOTHING.withPolicies(() -> policies))
                .isInstanceOf(IllegalArgumentException.class).hasMessage(why);
    }

    @Test
    void a_webhook_says_what_it_is_asked_and_what_becomes_of_a_call_that_fails() {
        for (Map<String, Object> fields : List.<Map<String, Object>>of(Map.of("rules", PODS),
                Map.of("failurePolicy", "Fail"), Map.of("rules", PODS, "failurePolicy", "Fail", "clientConfig", ""))) {
            assertThatThrownBy(() -> webhook("a.b.c", "/p", fields)).isInstanceOf(IllegalArgumentException.class);
        }
        Map<String, Object> good = Map.of("rules", PODS, "failurePolicy", "Fail");
        assertThatThrownBy(() -> webhook("a.b", "/p", good)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> webhook("a.b.c", "p", good)).isInstanceOf(IllegalArgumentException.class);
        assertThat(webhook("a.b.c", "/p", good).fields()).isEqualTo(good);
    }

    private static Webhook webhook(String name, String path, Map<String, Object> fields) {
        return new Webhook(AdmissionPhase.VALIDATING, name, path, Shape.WHOLE, request -> AdmissionResponse.allowed(),
                fields);
    }

    @Test
    void parameters_have_a_kind() {
        List<AdmissionPolicyDefinition.Binding> bindings = List.of(new AdmissionPolicyDefinition.Binding(
                "b", Map.of("paramRef", Map.of("name", "p", "parameterNotFoundAction", "Allow"))));
        assertThatThrownBy(() -> new AdmissionPolicyDefinition(AdmissionPhase.MUTATING, "p", Map.of(), bindings))
                .hasMessageContaining("no paramKind");
    }

    @Test
    void the_certificate_is_beside_the_service_or_where_a_flag_says() {
        InetSocketAddress address = new InetSocketAddress(9443);
        WebhookClientConfig service = WebhookClientConfig.parse("ops/hooks");
        ManagedObjects objects = WebhookFixture.reachedAt("ops/hooks");
        assertThat(AdmissionRegistration.of(objects, new ServingOptions(address, service, Optional.empty()), true)
                .secret())
                .isEqualTo(new ObjectKey("ops", "nodeward-test"));
        ObjectKey given = new ObjectKey("a", "b");
        assertThat(AdmissionRegistration.of(objects, new ServingOptions(address, service, Optional.of(given)), true)
                .secret())
                .isEqualTo(given);
    }
}
