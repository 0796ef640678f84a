package io.nodeward.cli;

import io.nodeward.cli.explain.LiveFleet;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Documents;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.cli.fleet.Trim;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions.Sides;
import io.nodeward.cli.plan.Plan;
import io.nodeward.cli.plan.PlanJson;
import io.nodeward.cli.plan.PlanText;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import io.nodeward.cli.text.Structured;
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
        "An edit that replaces Machines is named; what that does is not planned.",
        "Of a live cluster, or with -f from files: Nodes, Pods, PodDisruptionBudgets, Machines, MachineSets,"
                + " MachineDeployments and MachinePools of one workload cluster. Nothing is written.",
        "Exit codes: 0 planned, 3 planned and what --fail-on names would happen, 1 a file cannot be read"
                + " or a cluster not be reached, 2 wrong usage or an object that cannot be used."
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

    @Option(names = "--cluster", paramLabel = "[NAMESPACE/]NAME", defaultValue = "", description = "The Cluster whose"
            + " Nodes are meant (default: the only one there is)")
    String named = "";

    @Option(names = {"-o",
            "--output"}, paramLabel = "FORMAT", defaultValue = "text", description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    Format format = Format.text;

    @Option(names = "--fail-on", paramLabel = "WHAT", defaultValue = "nothing", description = "Exit with 3 on ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    FailOn failOn = FailOn.nothing;

    @Mixin
    Tolerated tolerated = new Tolerated();

    @Mixin
    FleetOptions fleet;

    @Spec
    @Nullable
    CommandSpec spec;

    PlanCommand(InputStream in, Terminal terminal, ClusterOptions cluster) {
        this.in = in;
        this.terminal = terminal;
        this.fleet = new FleetOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        if (Stream.concat(fleet.files.stream(), edits.stream()).filter("-"::equals).count() > 1) {
            throw new IllegalArgumentException("standard input can be read once: give - once");
        }
        if (!named.matches("|([^/]+/)?[^/]+")) {
            throw new IllegalArgumentException("--cluster is [NAMESPACE/]NAME, not '" + named + "'");
        }
        Plan plan = fleet.isGiven() ? ofFiles() : ofLive();
        if (spec != null) {
            new Printing(spec).print(plan.warnings(), text(plan), TELL_WARNINGS.contains(format));
        }
        return isFailure(plan) ? FAILED_ON : 0;
    }

    private Plan ofFiles() throws IOException {
        List<Document> edited = edited(fleet.cluster.namedNamespace());
        Documents.Reading reading = new Documents.Reading(fleet.cluster.namedNamespace(), false, in, new Trim());
        return plan(new Fleet(Documents.read(fleet.files, reading), named), String.join(", ", fleet.files), edited);
    }

    private Plan ofLive() throws IOException {
        try (Sides sides = fleet.workload.connect(fleet.cluster, named, "")) {
            List<Document> edited = edited(sides.management().namespace());
            boolean machines = edited.stream().anyMatch(document -> document.id().kind().equals("Machine"));
            return plan(LiveFleet.forPlan(sides, machines), "the cluster of " + sides.workload().route(), edited);
        }
    }

    private List<Document> edited(String namespace) throws IOException {
        List<Document> edited = Documents.read(edits, new Documents.Reading(namespace, false, in));
        if (edited.isEmpty() && !edits.isEmpty()) {
            throw new IllegalArgumentException("there is no object in " + String.join(", ", edits));
        }
        return edited;
    }

    private Plan plan(Fleet of, String where, List<Document> edited) {
        return Plan.of(of, where, edited, fleet.settings(tolerated.tolerance()));
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
            case changes -> !plan.isEmpty();
            case evictions -> plan.evicted() > 0 || !plan.evictionsKnown() || !plan.replaced().isEmpty();
        };
    }
}
