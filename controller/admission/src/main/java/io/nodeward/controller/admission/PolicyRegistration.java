package io.nodeward.controller.admission;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Enforcement;
import io.nodeward.core.rules.validation.TaintPolicies;
import io.nodeward.core.rules.validation.TaintPolicies.Rules;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The ValidatingAdmissionPolicies by which API servers judge without asking. */
final class PolicyRegistration implements Registration {
    private static final String POLICY = "ValidatingAdmissionPolicy";

    private final AdmissionSettings settings;
    private final Registrar registrar;
    private final UpstreamWebhooks upstream;
    private final AdmissionMeters meters;

    /** @param action of the binding */
    private record Wanted(Rules rules, String action, List<DeclaringKind> kinds) {}

    PolicyRegistration(
            AdmissionSettings settings,
            Registrar registrar,
            UpstreamWebhooks upstream,
            AdmissionMeters meters) {
        this.settings = settings;
        this.registrar = registrar;
        this.upstream = upstream;
        this.meters = meters;
    }

    @Override
    public Result ensure() {
        List<Registrar.Ended> ended = new ArrayList<>();
        for (Wanted wanted : wanted()) {
            String name = name(wanted.rules());
            ended.add(registrar.ensure(Own.POLICIES, POLICY, name, policy(wanted)));
            if (!(ended.getLast() instanceof Registrar.Ended.Foreign)
                    && !(ended.getLast() instanceof Registrar.Ended.HeldBack)) {
                ended.add(registrar.ensure(Own.BINDINGS, POLICY + "Binding", name, binding(name, wanted)));
            }
        }
        meters.inForce(ended.stream().allMatch(Registrar.Ended.InForce.class::isInstance));
        return ended.stream()
                .filter(Registrar.Ended.HeldBack.class::isInstance)
                .map(held -> ((Registrar.Ended.HeldBack) held).left())
                .max(Duration::compareTo)
                .<Result>map(left -> Result.requeueAfter(left, "others to stop changing it"))
                .orElse(Result.done());
    }

    private List<Wanted> wanted() {
        List<Wanted> wanted = new ArrayList<>();
        List<DeclaringKind> all = List.of(DeclaringKind.values());
        Enforcement faults = settings.config().faults;
        if (faults != Enforcement.OFF) {
            wanted.add(new Wanted(Rules.FAULTS, action(faults), all));
            wanted.add(new Wanted(Rules.LIFECYCLE, action(Enforcement.WARN), all));
        }
        List<DeclaringKind> ours = upstream.unvalidated();
        if (!settings.propagates() && settings.config().gate != Enforcement.OFF && !ours.isEmpty()) {
            wanted.add(new Wanted(Rules.GATE, action(settings.config().gate), ours));
        }
        return wanted;
    }

    private static String action(Enforcement enforcement) {
        return enforcement == Enforcement.ENFORCE ? "Deny" : "Warn";
    }

    private Map<String, Object> policy(Wanted wanted) {
        Map<String, Object> spec = new LinkedHashMap<>(TaintPolicies.spec(
                wanted.rules(), wanted.kinds(), settings.config().failurePolicy.name()));
        settings.own().objects().ifPresent(selector -> {
            Map<String, Object> constraints = new HashMap<>();
            constraints.put("resourceRules", TaintPolicies.resourceRules(wanted.kinds()));
            constraints.put("objectSelector", selector);
            spec.put("matchConstraints", constraints);
        });
        return Map.of("spec", spec);
    }

    private static Map<String, Object> binding(String policy, Wanted wanted) {
        return Map.of("spec", Map.of("policyName", policy, "validationActions", List.of(wanted.action())));
    }

    private String name(Rules rules) {
        return settings.own().name(rules.name().toLowerCase(Locale.ROOT));
    }

    @Override
    public Map<Resource, Set<ObjectKey>> needed() {
        Set<ObjectKey> keys = wanted().stream().map(wanted -> ObjectKey.clusterScoped(name(wanted.rules())))
                .collect(Collectors.toSet());
        return Map.of(Own.POLICIES, keys, Own.BINDINGS, keys);
    }
}
