package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodAdmission;
import io.nodeward.core.rules.dedicated.PodRefusals;
import java.util.List;

/** What becomes of pods that are created or updated. */
final class PodMeters {
    private static final String MEMBERS = "nodeward.dedicated.new.pods";
    private static final String REFUSED = "nodeward.dedicated.refused.pods";
    private static final String GROUP = "group";

    private final MeterRegistry registry;
    private final Counter awaitClaims;
    private final Counter namespaceReads;
    private final Counter nodeReads;
    private final Counter podLists;
    private final Counter claimReads;

    PodMeters(MeterRegistry registry) {
        this.registry = registry;
        this.awaitClaims = counter("nodeward.dedicated.new.pods.claims.unknown",
                "Pods that were created before their claims were known, and count as no members");
        this.namespaceReads = counter("nodeward.dedicated.namespace.reads",
                "Namespaces that were asked for, as a pod was created before they were known");
        this.nodeReads = counter("nodeward.dedicated.node.reads",
                "Nodes that were asked for, as a pod names one that is not known and would be refused for it");
        this.podLists = counter("nodeward.dedicated.pod.lists",
                "Namespaces whose pods were listed, as a claim was created without a device that makes pods members");
        this.claimReads = counter("nodeward.dedicated.claim.reads",
                "ResourceClaims and templates that were asked for, as they alone let a pod in");
    }

    private Counter counter(String name, String description) {
        return Counter.builder(name).description(description).register(registry);
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

    void count(PodRefusals refusals) {
        refusals.all().forEach(refusal -> Counter.builder(REFUSED).tag(GROUP, refusal.group().name())
                .tag("enforcement", refusal.group().spec().enforcement().name())
                .description("Pods that a DedicatedNodes keeps out when they are created or get a toleration, by its"
                        + " enforcement: only Enforce refuses them")
                .register(registry).increment());
    }

    void countNamespaceRead() {
        namespaceReads.increment();
    }

    void countNodeRead() {
        nodeReads.increment();
    }

    void countPodList() {
        podLists.increment();
    }

    void countClaimRead() {
        claimReads.increment();
    }

    void forget(String group) {
        for (String meter : List.of(MEMBERS, REFUSED)) {
            registry.find(meter).tag(GROUP, group).counters().forEach(registry::remove);
        }
    }
}
