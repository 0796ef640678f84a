package io.nodeward.cli;

import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.plan.Plan;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.InputStream;
import java.time.InstantSource;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The fleet, and the settings of its controller, which nobody can read from outside. */
final class SnapshotOptions extends FleetOptions {
    enum When {
        whenUntracked(Initialization.WHEN_UNTRACKED),
        whenUninitialized(Initialization.WHEN_UNINITIALIZED);

        private final Initialization rule;

        When(Initialization rule) {
            this.rule = rule;
        }
    }

    @Option(names = "--initialization", paramLabel = "WHEN", defaultValue = "whenUntracked", description = "As the"
            + " controller is started with: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    When initialization = When.whenUntracked;

    @Mixin
    GateSwitches gates = new GateSwitches();

    /** @param in read where a file is named {@code -} */
    SnapshotOptions(ClusterOptions cluster, InputStream in) {
        super(cluster, in);
    }

    /** With all that nobody can read from outside. */
    Plan.Settings settings(Tolerance tolerance) {
        return new Plan.Settings(gates(), tolerance, new Plan.Dedicated(gates.dedicatedNodes(), gates.pods()),
                InstantSource.system());
    }

    Gates gates() {
        return new Gates(gates.propagates(), initialization.rule, gates.pools(), gates.topologies());
    }
}
