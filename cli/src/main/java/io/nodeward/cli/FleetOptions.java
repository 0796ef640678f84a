package io.nodeward.cli;

import io.nodeward.cli.fleet.Documents;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.plan.Plan;
import io.nodeward.core.rules.origin.Situation.Gates;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A fleet in files in the place of a live one, and the settings of the controller that nobody can read from outside. */
final class FleetOptions {
    enum When {
        whenUntracked(Initialization.WHEN_UNTRACKED),
        whenUninitialized(Initialization.WHEN_UNINITIALIZED);

        private final Initialization rule;

        When(Initialization rule) {
            this.rule = rule;
        }
    }

    @Option(names = {"-f",
            "--filename"}, paramLabel = "FILE", description = "YAML or JSON of all objects, as 'kubectl get"
                    + " -o yaml --show-managed-fields' writes them; a directory, or - for standard input. No cluster is asked")
    List<String> files = new ArrayList<>();

    @Option(names = "--initialization", paramLabel = "WHEN", defaultValue = "whenUntracked", description = "As the"
            + " controller is started with: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    When initialization = When.whenUntracked;

    @Mixin
    GateSwitches gates = new GateSwitches();

    boolean isGiven() {
        return !files.isEmpty();
    }

    /** @param cluster {@code [NAMESPACE/]NAME} of the one that is meant; empty for the only one */
    Fleet read(ClusterOptions options, String cluster, InputStream in) throws IOException {
        Documents.Reading reading = new Documents.Reading(namespace(options), false, in);
        return new Fleet(Documents.read(files, reading), cluster);
    }

    /** Where no context says one. */
    static String namespace(ClusterOptions options) {
        return options.namedNamespace().isEmpty() ? "default" : options.namedNamespace();
    }

    /** With all that nobody can read from outside. */
    Plan.Settings settings(Tolerance tolerance) {
        return new Plan.Settings(gates(), tolerance);
    }

    Gates gates() {
        return new Gates(gates.propagates(), initialization.rule, gates.pools(), gates.topologies());
    }
}
