package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** API servers ask a Nodeward with a watch filter about the objects that it looks after. */
class WatchFilterTest extends WebhookFixture {
    private static final ManagedObjects FILTERED =
            new ManagedObjects("test", "a", Set.of(AdmissionPhase.VALIDATING), OBJECTS.service());
    private static final JsonNode LABELLED = json("{'matchLabels':{'cluster.x-k8s.io/watch-filter':'a'}}");

    @Test
    void a_webhook_is_asked_about_objects_with_the_label_unless_it_selects_others() {
        start(AdmissionRegistration.of(FILTERED, serving(), true)
                .withWebhooks(List.of(webhook("/a", Map.of()), webhook("/b", Map.of("objectSelector", Map.of())))));
        JsonNode webhooks = made("validatingwebhookconfigurations", NAME + "-a").path("webhooks");
        assertThat(webhooks.at("/0/objectSelector")).isEqualTo(LABELLED);
        assertThat(webhooks.at("/1/objectSelector")).isEqualTo(json("{}"));
    }

    @Test
    void a_policy_decides_on_objects_with_the_label_unless_it_selects_others() {
        Map<String, Object> all = Map.of("resourceRules", PODS, "objectSelector", Map.of());
        start(AdmissionRegistration.of(FILTERED, serving(), true).withPolicies(
                () -> List.of(policy("a", Map.of("resourceRules", PODS)), policy("b", all))));
        String policies = "validatingadmissionpolicies";
        JsonNode filtered = made(policies, NAME + "-a-a").at("/spec/matchConstraints");
        assertThat(filtered.path("objectSelector")).isEqualTo(LABELLED);
        assertThat(filtered.path("resourceRules")).hasSize(1);
        assertThat(made(policies, NAME + "-b-a").at("/spec/matchConstraints/objectSelector")).isEqualTo(json("{}"));
    }

    private static Webhook webhook(String path, Map<String, Object> more) {
        Map<String, Object> fields = new TreeMap<>(more);
        fields.put("rules", PODS);
        fields.put("failurePolicy", "Fail");
        return new Webhook(AdmissionPhase.VALIDATING, path.substring(1) + ".test.nodeward.io", path, Shape.WHOLE,
                request -> AdmissionResponse.allowed(), fields);
    }

    private static AdmissionPolicyDefinition policy(String part, Map<String, Object> constraints) {
        return new AdmissionPolicyDefinition(AdmissionPhase.VALIDATING, part,
                Map.of("failurePolicy", "Fail", "matchConstraints", constraints), List.of());
    }
}
