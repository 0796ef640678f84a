package io.nodeward.cli;

import io.nodeward.cli.explain.LiveFleet;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Documents;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions;
import io.nodeward.cli.live.WorkloadOptions.Sides;
import io.nodeward.cli.plan.Plan;
import io.nodeward.cli.plan.PlanJson;
import io.nodeward.cli.plan.PlanText;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
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
                + " them, and for which pending pods Nodes open or close.",
        "An edit that replaces Machines is named; what that does is not planned.",
        "Of a live cluster, or with -f from files: Nodes, Pods, PodDisruptionBudgets, Machines, MachineSets,"
                + " MachineDeployments and MachinePools of one workload cluster. Nothing is written.",
        "Exit codes: 0 planned, 3 planned and what --fail-on names would happen, 1 a file cannot be read"
                + " or a cluster not be reached, 2 wrong usage or an object that cannot be used."
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

    private final InputStream in;

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
    FleetOptions fleet = new FleetOptions();

    @Mixin
    WorkloadOptions workload = new WorkloadOptions();

    @Mixin
    ClusterOptions cluster;

    @Spec
    @Nullable
    CommandSpec spec;

    PlanCommand(InputStream in, ClusterOptions cluster) {
        this.in = in;
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws IOException {
        if (Stream.concat(fleet.files.stream(), edits.stream()).filter("-"::equals).count() > 1) {
            throw new IllegalArgumentException("standard input can be read once: give - once");
        }
        Plan plan = fleet.isGiven() ? ofFiles() : ofLive();
        if (spec != null) {
            new Printing(spec).print(plan.warnings(), text(plan), format != Format.text);
        }
        return isFailure(plan) ? FAILED_ON : 0;
    }

    private Plan ofFiles() throws IOException {
        List<Document> edited = edited(cluster.namedNamespace());
        return plan(new Fleet(Documents.read(fleet.files, reading(cluster.namedNamespace())),
                named.substring(named.indexOf('/') + 1)), String.join(", ", fleet.files), edited);
    }

    private Plan ofLive() throws IOException {
        try (Sides sides = workload.connect(cluster, named, "")) {
            List<Document> edited = edited(sides.management().namespace());
            return plan(LiveFleet.withPods(sides), "the cluster of context " + sides.workload().context(), edited);
        }
    }

    private List<Document> edited(String namespace) throws IOException {
        List<Document> edited = Documents.read(edits, reading(namespace));
        if (edited.isEmpty() && !edits.isEmpty()) {
            throw new IllegalArgumentException("there is no object in " + String.join(", ", edits));
        }
        return edited;
    }

    private Documents.Reading reading(String namespace) {
        return new Documents.Reading(namespace, false, in);
    }

    private Plan plan(Fleet of, String where, List<Document> edited) {
        return Plan.of(of, where, edited, fleet.gates(), tolerated.tolerance());
    }

    private String text(Plan plan) {
        return switch (format) {
            case text -> PlanText.terminal(plan);
            case json -> PlanJson.of(plan);
            case markdown -> PlanText.markdown(plan);
        };
    }

    private boolean isFailure(Plan plan) {
        return switch (failOn) {
            case nothing -> false;
            case changes -> !plan.isEmpty();
            case evictions -> plan.evicted() > 0 || !plan.replaced().isEmpty();
        };
    }
}
