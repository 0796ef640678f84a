package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What one component has API servers ask, or decide by themselves.
 *
 * @param objects the names and labels of what is registered
 * @param writes false: only log
 * @param serving empty if there are no webhooks
 * @param policies as they should be now; empty if it never has any
 * @param counted kinds of which reviews are counted each for itself; all others count as {@code other}
 */
public record AdmissionRegistration(
        ManagedObjects objects,
        boolean writes,
        Optional<ServingOptions> serving,
        List<Webhook> webhooks,
        Optional<Supplier<List<AdmissionPolicyDefinition>>> policies,
        RegistrationInputs inputs,
        List<GroupKind> counted) {
    private static final String SYSTEM = "nodeward-system";

    public AdmissionRegistration {
        webhooks = List.copyOf(webhooks);
        counted = List.copyOf(counted);
        if (serving.isPresent() == webhooks.isEmpty()) {
            throw new IllegalArgumentException("webhooks need to be served, and nothing else does");
        }
        Set<String> known = new HashSet<>();
        webhooks.stream().flatMap(webhook -> Stream.of(webhook.path(), webhook.phase() + " " + webhook.name()))
                .filter(text -> !known.add(text)).findFirst().ifPresent(twice -> {
                    throw new IllegalArgumentException("two webhooks have " + twice);
                });
        webhooks.stream().map(Webhook::phase).filter(phase -> !objects.phases().contains(phase)).findFirst()
                .ifPresent(phase -> {
                    throw new IllegalArgumentException(phase + " is no phase of " + objects.component());
                });
    }

    /** Nothing yet. */
    public static AdmissionRegistration of(ManagedObjects objects, boolean writes) {
        return new AdmissionRegistration(
                objects, writes, Optional.empty(), List.of(), Optional.empty(), RegistrationInputs.NONE, List.of());
    }

    public AdmissionRegistration withWebhooks(ServingOptions options, List<Webhook> served) {
        return new AdmissionRegistration(objects, writes, Optional.of(options), served, policies, inputs, counted);
    }

    /** @param wanted asked each time before they are compared with what is there */
    public AdmissionRegistration withPolicies(Supplier<List<AdmissionPolicyDefinition>> wanted) {
        return new AdmissionRegistration(objects, writes, serving, webhooks, Optional.of(wanted), inputs, counted);
    }

    public AdmissionRegistration withInputs(RegistrationInputs watched) {
        return new AdmissionRegistration(objects, writes, serving, webhooks, policies, watched, counted);
    }

    public AdmissionRegistration withCounted(List<GroupKind> kinds) {
        return new AdmissionRegistration(objects, writes, serving, webhooks, policies, inputs, kinds);
    }

    /** Where the certificate is: the Secret that was named, or one of the component's own. */
    static ObjectKey secret(ManagedObjects objects, ServingOptions serving) {
        String namespace =
                serving.clientConfig() instanceof WebhookClientConfig.InCluster service ? service.namespace() : SYSTEM;
        return serving.secret().orElseGet(() -> new ObjectKey(namespace, objects.name("")));
    }
}
