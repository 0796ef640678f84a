package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The admission policies by which API servers decide without a call, each with its bindings. */
record PolicyRegistration(ManagedObjects objects, List<AdmissionPolicyDefinition> wanted, Registrar registrar)
        implements
        Registration {
    @Override
    public Ensured ensure() {
        List<Ensured> results = new ArrayList<>();
        for (AdmissionPolicyDefinition policy : wanted) {
            String kind = policy.phase().policyKind();
            String name = objects.name(policy.part());
            Ensured result = registrar.ensure(policy.phase().policies(), kind, name, Map.of("spec", spec(policy)));
            results.add(result);
            if (result.accepted()) {
                policy.bindings().forEach(binding -> results.add(registrar.ensure(policy.phase().policyBindings(),
                        kind + "Binding", objects.name(binding.part()), Map.of("spec", binding.spec(name)))));
            }
        }
        return Ensured.of(results);
    }

    private Map<String, Object> spec(AdmissionPolicyDefinition policy) {
        Map<String, Object> spec = new TreeMap<>(policy.spec());
        spec.computeIfPresent("matchConstraints", (field, constraints) -> constraints instanceof Map<?, ?> fields
                ? objects.selecting(fields)
                : constraints);
        return spec;
    }

    @Override
    public Set<Needed> needed() {
        Set<Needed> needed = new HashSet<>();
        for (AdmissionPolicyDefinition policy : wanted) {
            needed.add(needed(policy.phase().policies(), policy.part()));
            policy.bindings().forEach(
                    binding -> needed.add(needed(policy.phase().policyBindings(), binding.part())));
        }
        return needed;
    }

    private Needed needed(Resource kind, String part) {
        return new Needed(kind, ObjectKey.clusterScoped(objects.name(part)));
    }
}
