package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts writes of one kind by result. */
final class WriteMeters {
    final Counter written;
    final Counter conflicts;
    final Counter rejected;
    final Counter dryRuns;

    private WriteMeters(MeterRegistry registry, String name, String description) {
        this.written = counter(registry, name, description, "written");
        this.conflicts = counter(registry, name, description, "conflict");
        this.rejected = counter(registry, name, description, "rejected");
        this.dryRuns = counter(registry, name, description, "dry_run");
    }

    /** {@code nodeward_node_writes_total}. */
    static WriteMeters ofNodes(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.node.writes", "Changes of Nodes by what became of them");
    }

    /** {@code nodeward_declared_taints_writes_total}. */
    static WriteMeters ofTaintLists(MeterRegistry registry) {
        return new WriteMeters(registry, "nodeward.declared.taints.writes",
                "Writes of taints declared for others by what became of them");
    }

    private static Counter counter(MeterRegistry registry, String name, String description, String result) {
        return Counter.builder(name).tag("result", result).description(description).register(registry);
    }
}
