package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodAdmission;
import io.nodeward.core.rules.dedicated.PodRefusals;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What becomes of pods that are created or updated. */
final class PodMeters {
    private static final String MEMBERS = "nodeward.dedicated.new.pods";
    private static final String REFUSED = "nodeward.dedicated.refused.pods";
    private static final String GROUP = "group";

    private final MeterRegistry registry;
    private final Counter awaitClaims;

    PodMeters(MeterRegistry registry) {
        this.registry = registry;
        this.awaitClaims = Counter.builder("nodeward.dedicated.new.pods.claims.unknown")
                .description("Pods that were created before their claims were known, and count as no members")
                .register(registry);
    }

    /**
     * Counts a pod for its groups. API servers ask again about a pod that another webhook has changed. The pod has all that Nodeward adds
     * then.
     *
     * @param added whether the pod gets anything by this review
     */
    void count(PodAdmission admission, boolean added) {
        if (!admission.awaiting().isEmpty()) {
            awaitClaims.increment();
        }
        count(MEMBERS,
                "Pods that got something as members of a DedicatedNodes when they were created, by its enforcement;"
                        + " with Audit, reviews of members",
                admission.groups().stream()
                        .filter(group -> added || group.spec().enforcement() == EnforcementMode.Audit));
    }

    void count(PodRefusals refusals) {
        count(REFUSED, "Pods that a DedicatedNodes keeps out when they are created or get a toleration, by its"
                + " enforcement: only Enforce refuses them", refusals.all().stream().map(PodRefusals.Refusal::group));
    }

    /** Counts the pod once for each group: one that waits with an edit comes twice, as it is in force and then as it is declared. */
    private void count(String name, String description, Stream<Group> groups) {
        Set<String> counted = new HashSet<>();
        groups.filter(group -> counted.add(group.name())).forEach(group -> Counter.builder(name)
                .tag(GROUP, group.name()).tag("enforcement", group.spec().enforcement().name())
                .description(description).register(registry).increment());
    }

    static void forget(MeterRegistry registry, String group) {
        for (String meter : List.of(MEMBERS, REFUSED)) {
            registry.find(meter).tag(GROUP, group).counters().forEach(registry::remove);
        }
    }
}
