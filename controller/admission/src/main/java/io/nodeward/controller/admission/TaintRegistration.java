package io.nodeward.controller.admission;

import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.rules.validation.TaintPolicies;
import io.nodeward.core.rules.validation.TaintPolicies.Rules;
import io.nodeward.core.runtime.webhook.AdmissionPhase;
import io.nodeward.core.runtime.webhook.AdmissionPolicyDefinition;
import io.nodeward.core.runtime.webhook.AdmissionRegistration;
import io.nodeward.core.runtime.webhook.GroupKind;
import io.nodeward.core.runtime.webhook.Webhook;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What API servers ask about taints: a webhook for what has them on Nodes and two for devices, or policies of the rules of the first. */
record TaintRegistration(AdmissionSettings settings, UpstreamWebhooks upstream) {
    private static final String PATH = "/admission/machine-taints";
    private static final String WEBHOOK = "machine-taints.nodeward.io";
    private static final List<DeclaringKind> KINDS = List.of(DeclaringKind.values());

    AdmissionRegistration addTo(AdmissionRegistration nothing) {
        List<GroupKind> counted = new ArrayList<>(
                KINDS.stream().map(kind -> new GroupKind(kind.group(), kind.kind())).toList());
        if (!settings.isWebhook()) {
            return nothing.withCounted(counted).withPolicies(this::policies);
        }
        List<Webhook> webhooks = new ArrayList<>(List.of(webhook()));
        if (settings.deviceTaints()) {
            Enforcement enforcement = settings.config().enforcement;
            for (DeviceTaintValidator<?> validator : List.of(
                    DeviceTaintValidator.ofRules(enforcement, settings.listAttributes()),
                    DeviceTaintValidator.ofTaintSlices(enforcement))) {
                counted.add(validator.groupKind());
                webhooks.add(validator.webhook(settings.config().failurePolicy.name()));
            }
        }
        return nothing.withCounted(counted).withWebhooks(webhooks);
    }

    private Webhook webhook() {
        TaintValidator validator = new TaintValidator(kind -> settings.policy(upstream.validate(kind)));
        return new Webhook(AdmissionPhase.VALIDATING, WEBHOOK, PATH, Declarations.SHAPE, validator, Map.of(
                "rules", TaintPolicies.resourceRules(KINDS),
                "failurePolicy", settings.config().failurePolicy.name(),
                "matchConditions", TaintPolicies.matchConditions()));
    }

    private List<AdmissionPolicyDefinition> policies() {
        List<AdmissionPolicyDefinition> policies = new ArrayList<>();
        Enforcement enforcement = settings.config().enforcement;
        if (enforcement != Enforcement.Off) {
            policies.add(policy(Rules.INVALID, enforcement, KINDS));
            policies.add(policy(Rules.LIFECYCLE, Enforcement.Warn, KINDS));
        }
        List<DeclaringKind> unvalidated = upstream.unvalidated();
        Enforcement gate = settings.config().gate;
        if (!settings.propagates() && gate != Enforcement.Off && !unvalidated.isEmpty()) {
            policies.add(policy(Rules.GATE, gate, unvalidated));
        }
        return policies;
    }

    private AdmissionPolicyDefinition policy(Rules rules, Enforcement enforcement, List<DeclaringKind> kinds) {
        String part = rules.name().toLowerCase(Locale.ROOT);
        Map<String, Object> spec = TaintPolicies.spec(rules, kinds, settings.config().failurePolicy.name());
        String action = enforcement == Enforcement.Enforce ? "Deny" : "Warn";
        return new AdmissionPolicyDefinition(AdmissionPhase.VALIDATING, part, spec,
                List.of(new AdmissionPolicyDefinition.Binding(part, Map.of("validationActions", List.of(action)))));
    }
}
