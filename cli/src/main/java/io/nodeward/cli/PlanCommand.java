package io.nodeward.cli;

import io.nodeward.cli.plan.Plan;
import io.nodeward.cli.plan.PlanJson;
import io.nodeward.cli.plan.PlanText;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nodeward plan}: what an edit would do, before it is made. */
@Command(name = "plan", sortOptions = false, description = {
        "Says which Nodes an edit of declared taints changes, which pods go because of it and when, which budgets cover"
                + " them, and for which pending pods Nodes open or close.",
        "An edit that replaces Machines is named; what that does is not planned.",
        "Exit codes: 0 planned, 3 planned and what --fail-on names would happen, 1 a file cannot be read,"
                + " 2 wrong usage or an object that cannot be used."
})
final class PlanCommand implements Callable<Integer> {
    private static final int FAILED_ON = 3;

    enum Format {
        text,
        json,
        markdown
    }

    enum FailOn {
        nothing,
        changes,
        evictions
    }

    enum When {
        whenUntracked(Initialization.WHEN_UNTRACKED),
        whenUninitialized(Initialization.WHEN_UNINITIALIZED);

        private final Initialization rule;

        When(Initialization rule) {
            this.rule = rule;
        }
    }

    private final InputStream in;

    @Option(names = {"-f", "--filename"}, paramLabel = "FILE", required = true, description = "The fleet as it is: YAML"
            + " or JSON of Nodes, Pods, PodDisruptionBudgets, Machines, MachineSets, MachineDeployments and"
            + " MachinePools of one workload cluster; a directory, or - for standard input")
    List<String> fleet = new ArrayList<>();

    @Option(names = "--edit", paramLabel = "FILE", description = "Objects of the fleet as they are to be; without it,"
            + " what is declared already is planned")
    List<String> edits = new ArrayList<>();

    @Option(names = {"-n", "--namespace"}, paramLabel = "NAMESPACE", defaultValue = "", description = "Of objects in"
            + " files that name none")
    String namespace = "";

    @Option(names = "--cluster", paramLabel = "NAME", defaultValue = "", description = "The Cluster whose Nodes these are,"
            + " if Machines of several are in the files")
    String cluster = "";

    @Option(names = "--initialization", paramLabel = "WHEN", defaultValue = "whenUntracked", description = "As the"
            + " controller is started with: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    When initialization = When.whenUntracked;

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format = Format.text;

    @Option(names = "--fail-on", paramLabel = "WHAT", defaultValue = "nothing", description = "Exit with 3 on ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    FailOn failOn = FailOn.nothing;

    @Option(names = "--toleration-comparisons", description = "The cluster's gate TaintTolerationComparisonOperators is"
            + " on: Lt and Gt count")
    boolean comparisons;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help message and exit.")
    boolean help;

    @Spec
    @Nullable
    CommandSpec spec;

    PlanCommand(InputStream in) {
        this.in = in;
    }

    @Override
    public Integer call() throws IOException {
        if (Stream.concat(fleet.stream(), edits.stream()).filter("-"::equals).count() > 1) {
            throw new IllegalArgumentException("standard input can be read once: give - once");
        }
        Plan plan = Plan.of(new Plan.Request(fleet, edits, namespace, cluster, initialization.rule,
                new Tolerance(comparisons)), in);
        if (spec != null) {
            print(plan, spec.commandLine().getOut(), spec.commandLine().getErr());
        }
        return isFailure(plan) ? FAILED_ON : 0;
    }

    private void print(Plan plan, PrintWriter out, PrintWriter err) throws IOException {
        if (format != Format.json) {
            plan.warnings().forEach(warning -> err.println("warning: " + warning));
        }
        out.print(switch (format) {
            case text -> PlanText.terminal(plan);
            case json -> PlanJson.of(plan);
            case markdown -> PlanText.markdown(plan);
        });
        if (out.checkError()) {
            throw new IOException("the plan cannot be written to standard output");
        }
    }

    private boolean isFailure(Plan plan) {
        return switch (failOn) {
            case nothing -> false;
            case changes -> !plan.isEmpty();
            case evictions -> plan.evicted() > 0 || !plan.replaced().isEmpty();
        };
    }
}
