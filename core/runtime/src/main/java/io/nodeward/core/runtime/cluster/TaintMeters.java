package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** {@code nodeward_declared_taints_writes_total} by result. */
final class TaintMeters {
    final Counter written;
    final Counter conflicts;
    final Counter rejected;
    final Counter observed;

    TaintMeters(MeterRegistry registry) {
        this.written = counter(registry, "written");
        this.conflicts = counter(registry, "conflict");
        this.rejected = counter(registry, "rejected");
        this.observed = counter(registry, "observed");
    }

    private static Counter counter(MeterRegistry registry, String result) {
        return Counter.builder("nodeward.declared.taints.writes").tag("result", result)
                .description("Writes of taints declared for others by what became of them").register(registry);
    }
}
