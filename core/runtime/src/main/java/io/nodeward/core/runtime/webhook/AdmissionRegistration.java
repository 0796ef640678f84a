package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.ControllerContext;
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
 * @param serving how its webhooks are served, if it has any; by its Service also the rest of what it registers is known
 * @param webhooks as they should be now; empty if it never has any
 * @param policies as they should be now; empty if it never has any
 * @param counted kinds of which reviews are counted each for itself; all others count as {@code other}
 * @param probe of whether API servers reach the webhooks, if the component has one
 */
public record AdmissionRegistration(
        ManagedObjects objects,
        boolean writes,
        ServingOptions serving,
        Optional<Supplier<List<Webhook>>> webhooks,
        Optional<Supplier<List<AdmissionPolicyDefinition>>> policies,
        RegistrationInputs inputs,
        List<GroupKind> counted,
        Optional<AdmissionProbe> probe) {
    public AdmissionRegistration {
        counted = List.copyOf(counted);
    }

    /**
     * Nothing yet.
     *
     * @param component such as {@code admission}
     * @param phases of which it may register anything
     */
    public static AdmissionRegistration of(
            String component, Set<AdmissionPhase> phases, ServingOptions serving, ControllerContext context) {
        return of(new ManagedObjects(component, context.watchFilter(), phases, serving.clientConfig()), serving,
                !context.dryRun());
    }

    static AdmissionRegistration of(ManagedObjects objects, ServingOptions serving, boolean writes) {
        return new AdmissionRegistration(objects, writes, serving, Optional.empty(), Optional.empty(),
                RegistrationInputs.NONE, List.of(), Optional.empty());
    }

    public AdmissionRegistration withWebhooks(List<Webhook> served) {
        return withWebhooks(() -> served);
    }

    /**
     * Has webhooks served.
     *
     * @param wanted asked now, and each time before they are compared with what is there
     * @throws IllegalArgumentException if two have one path or name; thrown by {@link #webhooks} too
     */
    public AdmissionRegistration withWebhooks(Supplier<List<Webhook>> wanted) {
        Supplier<List<Webhook>> checked = () -> checkedWebhooks(wanted.get());
        checked.get();
        return new AdmissionRegistration(objects, writes, serving, Optional.of(checked), policies, inputs, counted,
                probe);
    }

    private List<Webhook> checkedWebhooks(List<Webhook> wanted) {
        check(wanted.stream().map(Webhook::phase));
        once("webhooks", wanted.stream()
                .flatMap(webhook -> Stream.of(webhook.path(), webhook.phase() + " " + webhook.name())));
        return List.copyOf(wanted);
    }

    /**
     * Has admission policies kept.
     *
     * @param wanted asked now, and each time before they are compared with what is there
     * @throws IllegalArgumentException if two of a phase have one name; thrown by {@link #policies} too
     */
    public AdmissionRegistration withPolicies(Supplier<List<AdmissionPolicyDefinition>> wanted) {
        Supplier<List<AdmissionPolicyDefinition>> checked = () -> checkedPolicies(wanted.get());
        checked.get();
        return new AdmissionRegistration(objects, writes, serving, webhooks, Optional.of(checked), inputs, counted,
                probe);
    }

    private List<AdmissionPolicyDefinition> checkedPolicies(List<AdmissionPolicyDefinition> wanted) {
        check(wanted.stream().map(AdmissionPolicyDefinition::phase));
        once("policies", wanted.stream().map(policy -> policy.phase() + " " + objects.name(policy.part())));
        once("bindings", wanted.stream().flatMap(policy -> policy.bindings().stream()
                .map(binding -> policy.phase() + " " + objects.name(binding.part()))));
        return List.copyOf(wanted);
    }

    private void check(Stream<AdmissionPhase> phases) {
        phases.filter(phase -> !objects.phases().contains(phase)).findFirst().ifPresent(phase -> {
            throw new IllegalArgumentException(phase + " is no phase of " + objects.component());
        });
    }

    private static void once(String what, Stream<String> names) {
        Set<String> known = new HashSet<>();
        names.filter(name -> !known.add(name)).findFirst().ifPresent(twice -> {
            throw new IllegalArgumentException("two " + what + " have " + twice);
        });
    }

    public AdmissionRegistration withInputs(RegistrationInputs watched) {
        return new AdmissionRegistration(objects, writes, serving, webhooks, policies, watched, counted, probe);
    }

    public AdmissionRegistration withCounted(List<GroupKind> kinds) {
        return new AdmissionRegistration(objects, writes, serving, webhooks, policies, inputs, kinds, probe);
    }

    /**
     * Has an API server show that it reaches the webhooks, which are known by now. A dry run probes nothing.
     *
     * @throws IllegalStateException if the component has no webhooks
     * @throws IllegalArgumentException if a flag names the Secret: the component may not patch that one
     */
    public AdmissionRegistration withProbe(AdmissionProbe proving) {
        Supplier<List<Webhook>> asked = webhooks.orElseThrow(() -> new IllegalStateException("no webhook is probed"));
        if (serving.secret().isPresent()) {
            throw new IllegalArgumentException("the probe patches a Secret of the component's own");
        }
        Webhook own = proving.webhook(objects.component(), secret());
        AdmissionRegistration more = withWebhooks(() -> Stream.concat(asked.get().stream(), Stream.of(own)).toList());
        return new AdmissionRegistration(objects, writes, serving, more.webhooks, policies, inputs, counted,
                Optional.of(proving).filter(any -> writes));
    }

    /** Where the certificate is: the Secret that was named, or one of the component's own. */
    ObjectKey secret() {
        return serving.secret().orElseGet(objects::secret);
    }
}
