package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The admission policies by which API servers decide without a call, each with its bindings. */
final class PolicyRegistration implements Registration {
    private final ManagedObjects objects;
    private final Supplier<List<AdmissionPolicyDefinition>> wanted;
    private final Registrar registrar;

    PolicyRegistration(
            ManagedObjects objects, Supplier<List<AdmissionPolicyDefinition>> wanted, Registrar registrar) {
        this.objects = objects;
        this.wanted = wanted;
        this.registrar = registrar;
    }

    @Override
    public Registration now() {
        List<AdmissionPolicyDefinition> now = wanted.get();
        return new PolicyRegistration(objects, () -> now, registrar);
    }

    @Override
    public Ensured ensure() {
        List<Registrar.Result> results = new ArrayList<>();
        for (AdmissionPolicyDefinition policy : wanted.get()) {
            String kind = policy.phase().policyKind();
            String name = objects.name(policy.part());
            Registrar.Result result =
                    registrar.ensure(policy.phase().policies(), kind, name, Map.of("spec", spec(policy)));
            results.add(result);
            if (result instanceof Registrar.Result.InForce || result instanceof Registrar.Result.DryRun) {
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
    public Map<Resource, Set<ObjectKey>> needed() {
        Map<Resource, Set<ObjectKey>> needed = new HashMap<>();
        objects.policyKinds().forEach(kind -> needed.put(kind, new HashSet<>()));
        for (AdmissionPolicyDefinition policy : wanted.get()) {
            add(needed, policy.phase().policies(), policy.part());
            policy.bindings().forEach(binding -> add(needed, policy.phase().policyBindings(), binding.part()));
        }
        return needed;
    }

    private void add(Map<Resource, Set<ObjectKey>> needed, Resource resource, String part) {
        needed.computeIfAbsent(resource, any -> new HashSet<>()).add(ObjectKey.clusterScoped(objects.name(part)));
    }
}
