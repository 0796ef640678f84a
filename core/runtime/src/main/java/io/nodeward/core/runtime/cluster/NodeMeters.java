package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** {@code nodeward_node_writes_total} by result. */
final class NodeMeters {
    final Counter written;
    final Counter conflicts;
    final Counter rejected;
    final Counter observed;

    NodeMeters(MeterRegistry registry) {
        this.written = counter(registry, "written");
        this.conflicts = counter(registry, "conflict");
        this.rejected = counter(registry, "rejected");
        this.observed = counter(registry, "dry_run");
    }

    private static Counter counter(MeterRegistry registry, String result) {
        return Counter.builder("nodeward.node.writes").tag("result", result)
                .description("Changes of Nodes by what became of them").register(registry);
    }
}
