package io.nodeward.cli.taint;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.cli.live.GoDuration;
import io.nodeward.core.rules.command.Lenience;
import io.nodeward.core.rules.command.TaintCommand;
import java.time.Duration;
import java.util.Map;
import picocli.CommandLine.Option;

/** Flags of kubectl taint, with its words and defaults, and those beyond it. */
public final class TaintOptions {
    @Option(names = "--all", description = "Select all Nodes in the cluster")
    boolean all;

    @Option(names = {"-l", "--selector"}, paramLabel = "SELECTOR", defaultValue = "", description = "Select Nodes by"
            + " their labels: '=', '==', '!=', 'in', 'notin'")
    String selector = "";

    @Option(names = "--overwrite", description = "Allow taints to be overwritten; otherwise one with the same key and"
            + " effect must not be there yet")
    boolean overwrite;

    @Option(names = "--dry-run", paramLabel = "HOW", defaultValue = "none", fallbackValue = "unchanged", description = "none, client (print what would be sent) or server (send it to be"
            + " checked, not stored, and print the diff) (default: ${DEFAULT-VALUE})")
    String dryRun = "none";

    @Option(names = {"-o", "--output"}, paramLabel = "FORMAT", defaultValue = "", description = "json, yaml or name"
            + " (default: a line of words)")
    String output = "";

    @Option(names = "--field-manager", paramLabel = "NAME", defaultValue = "kubectl-taint", description = "Who is"
            + " written down as the writer (default: ${DEFAULT-VALUE})")
    String fieldManager = "kubectl-taint";

    @Option(names = "--show-managed-fields", description = "Keep managedFields in JSON and YAML")
    boolean showManagedFields;

    @Option(names = "--allow-missing-template-keys", hidden = true, description = "Not looked at")
    boolean allowMissingTemplateKeys;

    @Option(names = "--template", hidden = true, defaultValue = "", description = "Refused, as its formats are")
    String template = "";

    @Option(names = "--validate", hidden = true, defaultValue = "strict", fallbackValue = "strict", description = "Read,"
            + " and then not looked at, as by kubectl taint")
    String validate = "strict";

    @Option(names = "--ensure", description = "Make it so whatever is there: no error where a taint is there already,"
            + " with whatever value, or absent already; a second time writes nothing")
    boolean ensure;

    @Option(names = "--absent", description = "Removed taints may be absent already")
    boolean absent;

    @Option(names = "--replace-key", description = "Given taints take the place of all with the same keys, whatever"
            + " their effects")
    boolean replaceKey;

    @Option(names = "--wait", description = "Of Nodes: wait until the pods are gone that"
            + " NoExecute taints drive off; of their owners: until all Nodes have what is declared")
    boolean await;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "5m", description = "Of --wait: 30s, 5m, 0 for"
            + " no limit (default: ${DEFAULT-VALUE})")
    String timeout = "5m";

    @Option(names = "--propagation", paramLabel = "HOW", defaultValue = "Always", description = "Of taints declared on"
            + " Machines and their owners: Always, or OnInitialization for Nodes to come (default: ${DEFAULT-VALUE})")
    String propagation = "Always";

    @Option(names = "--place", paramLabel = "PLACE", defaultValue = "", description = "Of a Cluster's taints:"
            + " controlPlane, workers, machinedeployment/NAME or machinepool/NAME of its topology")
    String place = "";

    @Option(names = "--proposed-effects", description = "Take the name that NoExecute had when taints were proposed:"
            + " NoScheduleNoAdmitNoExecute")
    boolean proposedEffects;

    Lenience lenience() {
        return new Lenience(ensure, absent, replaceKey);
    }

    /** Returns how long {@code --wait} waits; zero if there is no limit. */
    Duration timeout() {
        return GoDuration.parse("--timeout", timeout);
    }

    /**
     * Checks what belongs together.
     *
     * @param owners whether the command is about owners of Nodes
     * @throws IllegalArgumentException naming the flags
     */
    void require(TaintCommand command, boolean owners) {
        timeout();
        if (!MachineTaint.ALWAYS.equals(propagation) && !MachineTaint.ON_INITIALIZATION.equals(propagation)) {
            throw new IllegalArgumentException("--propagation is Always or OnInitialization, not " + propagation);
        }
        if (!owners && (!place.isEmpty() || !MachineTaint.ALWAYS.equals(propagation))) {
            throw new IllegalArgumentException("--place and --propagation are for owners of Nodes, not for Nodes");
        }
        if (await && command.removed().isEmpty() && MachineTaint.ON_INITIALIZATION.equals(propagation)) {
            throw new IllegalArgumentException(
                    "--wait waits for nothing: with OnInitialization, Nodes that are there stay as they are");
        }
    }

    /** Returns what kubectl's rules look at. */
    Map<String, String> kubectl() {
        return Map.of("all", String.valueOf(all), "selector", selector, "overwrite", String.valueOf(overwrite),
                "dry-run", dryRun, "output", output, "template", template, "validate", validate);
    }
}
