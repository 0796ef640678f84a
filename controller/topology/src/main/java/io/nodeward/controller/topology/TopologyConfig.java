package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Flags of the topology controller. */
public final class TopologyConfig {
    @Option(names = "--topology-mode", paramLabel = "MODE", defaultValue = "full", description = "What is carried from a Cluster and its ClusterClass:"
            + " full, everything down to the Machines, where no Cluster API manager does;"
            + " complete, beside such a manager, only what it drops of the ClusterClass (default: ${DEFAULT-VALUE})")
    Mode mode = Mode.full;

    @Option(names = "--topology-concurrency", paramLabel = "N", defaultValue = "16", description = "Objects of the management cluster that taints are carried to at the same time"
            + " (default: ${DEFAULT-VALUE})")
    int concurrency = 16;

    /** Who refused a write may take it later, and nothing tells: a policy, a webhook or a quota may have changed. */
    Backoff afterRefusal = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10));

    enum Mode {
        full(TopologyMode.FULL),
        complete(TopologyMode.COMPLETE);

        final TopologyMode rule;

        Mode(TopologyMode rule) {
            this.rule = rule;
        }
    }
}
