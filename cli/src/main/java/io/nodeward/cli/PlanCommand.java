package io.nodeward.cli;

import io.nodeward.cli.explain.LiveSnapshot;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.plan.ApplyMode;
import io.nodeward.cli.plan.Plan;
import io.nodeward.cli.plan.PlanJson;
import io.nodeward.cli.plan.PlanText;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Manifests;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.snapshot.Trim;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Structured;
import io.nodeward.core.rules.impact.Impact;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nodeward plan}: what an edit would do, before it is made. */
@Command(name = "plan", sortOptions = false, description = {
        "Says which Nodes an edit of declared taints changes, which pods go because of it and when, which budgets cover"
                + " them, and for which pending pods Nodes become schedulable or filtered out.",
        "Lists separately what the controller does without the edit, where the fleet is not yet as it is declared.",
        "An edit that replaces Machines is named; what that does is not planned.",
        "Of a live cluster, or with -f from files: Nodes, Pods, PodDisruptionBudgets, Machines, MachineSets,"
                + " MachineDeployments and MachinePools of one workload cluster, and DedicatedNodes. Nothing is written.",
        "Exit codes: 0 planned, 3 planned and what --fail-on names would happen, 1 wrong usage, a file or"
                + " object that cannot be used, or a cluster that cannot be reached."
})
final class PlanCommand implements Callable<Integer> {
    private static final int FAILED_ON = 3;
    private static final Set<Format> TELL_WARNINGS = EnumSet.of(Format.json, Format.yaml, Format.markdown);

    enum Format {
        text,
        wide,
        json,
        yaml,
        name,
        markdown
    }

    enum FailOn {
        nothing,
        changes,
        evictions
    }

    private final InputStream in;
    private final Terminal terminal;

    @Option(names = "--edit", paramLabel = "FILE", description = "Objects of the fleet as they are to be; without it,"
            + " what is declared already is planned")
    List<String> edits = new ArrayList<>();

    @Mixin
    ApplyOptions apply = new ApplyOptions();

    @Mixin
    ClusterName cluster = new ClusterName();

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format = Format.text;

    @Option(names = "--fail-on", paramLabel = "WHAT", defaultValue = "nothing", description = "Exit with 3 on ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    FailOn failOn = FailOn.nothing;

    @Option(names = "--include-pending", description = "Let --fail-on count what is pending without the edit, too")
    boolean includePending;

    @Mixin
    Tolerated tolerated = new Tolerated();

    @Mixin
    SnapshotOptions options;

    @Spec
    @Nullable
    CommandSpec spec;

    PlanCommand(InputStream in, Terminal terminal, ClusterOptions cluster) {
        this.in = in;
        this.terminal = terminal;
        this.options = new SnapshotOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        if (Stream.concat(options.files.stream(), edits.stream()).filter("-"::equals).count() > 1) {
            throw new IllegalArgumentException("standard input can be read once: give - once");
        }
        if (apply.serverSide && edits.isEmpty()) {
            throw new IllegalArgumentException("--server-side needs --edit");
        }
        Plan plan = options.isGiven() ? ofFiles() : ofLive();
        if (spec != null) {
            new Printing(spec).print(plan.warnings(), text(plan), TELL_WARNINGS.contains(format));
        }
        return isFailure(plan) ? FAILED_ON : 0;
    }

    private Plan ofFiles() throws IOException {
        List<Manifest> edited = edited(options.cluster.namedNamespace());
        Manifests.Reading reading =
                new Manifests.Reading(options.cluster.namedNamespace(), false, in, Trim.keeping(edited));
        return plan(new Snapshot(Manifests.read(options.files, reading), cluster.named()),
                String.join(", ", options.files), edited, apply.offline());
    }

    private Plan ofLive() throws IOException {
        try (ClusterPair clusters = options.workload.connect(options.cluster, cluster.named(), "")) {
            List<Manifest> edited = edited(clusters.management().namespace());
            return plan(LiveSnapshot.forPlan(clusters, edited), "the cluster of " + clusters.workload().route(),
                    edited, apply.live(clusters));
        }
    }

    private List<Manifest> edited(String namespace) throws IOException {
        List<Manifest> edited = Manifests.read(edits, new Manifests.Reading(namespace, false, in).withPlaces());
        if (edited.isEmpty() && !edits.isEmpty()) {
            throw new IllegalArgumentException("there is no object in " + String.join(", ", edits));
        }
        return edited;
    }

    private Plan plan(Snapshot of, String where, List<Manifest> edited, ApplyMode mode) {
        return Plan.of(of, where, edited, mode, options.settings(tolerated.tolerance()));
    }

    private String text(Plan plan) {
        return switch (format) {
            case text -> PlanText.terminal(plan, Screen.of(terminal));
            case wide -> PlanText.terminal(plan, Screen.of(terminal).unlimited());
            case json -> Structured.json(PlanJson.of(plan));
            case yaml -> Structured.yaml(PlanJson.of(plan));
            case name -> PlanJson.names(plan);
            case markdown -> PlanText.markdown(plan);
        };
    }

    private boolean isFailure(Plan plan) {
        return switch (failOn) {
            case nothing -> false;
            case changes -> !plan.isEmpty() || includePending && !plan.pending().isEmpty();
            case evictions -> mayEvict(plan, plan.impact()) || includePending && mayEvict(plan, plan.pending())
                    || !plan.replaced().isEmpty();
        };
    }

    private static boolean mayEvict(Plan plan, Impact part) {
        return Plan.evicted(part) > 0 || !plan.evictionsKnown(part);
    }
}
