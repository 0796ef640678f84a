package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodAdmission;

/** What becomes of pods that are created. */
final class PodMeters {
    private static final String MEMBERS = "nodeward.dedicated.new.pods";
    private static final String GROUP = "group";

    private final MeterRegistry registry;
    private final Counter awaitClaims;
    private final Counter reads;

    PodMeters(MeterRegistry registry) {
        this.registry = registry;
        this.awaitClaims = Counter.builder("nodeward.dedicated.new.pods.claims.unknown")
                .description("Pods that were created before their claims were known, and count as no members")
                .register(registry);
        this.reads = Counter.builder("nodeward.dedicated.namespace.reads")
                .description("Namespaces that were asked for, as a pod was created before they were known")
                .register(registry);
    }

    void count(PodAdmission admission) {
        if (!admission.awaiting().isEmpty()) {
            awaitClaims.increment();
        }
        admission.groups().forEach(this::count);
    }

    private void count(Group group) {
        Counter.builder(MEMBERS).tag(GROUP, group.name())
                .tag("enforcement", group.spec().enforcement().name())
                .description("Members of a DedicatedNodes when they were created, by its enforcement")
                .register(registry).increment();
    }

    void countRead() {
        reads.increment();
    }

    void forget(String group) {
        registry.find(MEMBERS).tag(GROUP, group).counters().forEach(registry::remove);
    }
}
