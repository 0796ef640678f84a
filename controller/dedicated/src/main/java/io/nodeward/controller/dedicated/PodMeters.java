package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodAdmission;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What becomes of pods that are created. */
final class PodMeters {
    private final MeterRegistry registry;
    private final Counter awaitClaims;
    private final Counter reads;
    private final Map<String, List<Counter>> byGroup = new ConcurrentHashMap<>();

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
        if (admission.awaitsClaims()) {
            awaitClaims.increment();
        }
        admission.groups().forEach(this::count);
    }

    private void count(Group group) {
        Counter counter = Counter.builder("nodeward.dedicated.new.pods").tag("group", group.name())
                .tag("enforcement", group.spec().enforcement().name())
                .description("Members of a DedicatedNodes when they were created, by its enforcement")
                .register(registry);
        counter.increment();
        byGroup.merge(group.name(), List.of(counter), PodMeters::union);
    }

    private static List<Counter> union(List<Counter> some, List<Counter> more) {
        return some.containsAll(more) ? some : Stream.concat(some.stream(), more.stream()).toList();
    }

    void countRead() {
        reads.increment();
    }

    void forget(String group) {
        List<Counter> gone = byGroup.remove(group);
        if (gone != null) {
            gone.forEach(registry::remove);
        }
    }
}
