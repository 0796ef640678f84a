package io.nodeward.cli;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.explain.LiveSnapshot;
import io.nodeward.cli.explain.Tree;
import io.nodeward.cli.explain.TreeJson;
import io.nodeward.cli.explain.TreeText;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nodeward tree}: what is declared where, and has it arrived. */
@Command(name = "tree", sortOptions = false, description = {
        "Shows a Cluster with its control plane, MachineDeployments, MachineSets, MachinePools, Machines and Nodes, the"
                + " taints that each declares, and at the Nodes what is missing and what is unmanaged.",
        "",
        "  nodeward tree cluster/NAME",
        "",
        "From a live cluster, or with -f from files.",
        "Exit codes: 0 shown, 1 wrong usage, a file cannot be read, a cluster not be reached, or there is no such"
                + " object."
})
final class TreeCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "cluster/NAME", arity = "1..2", description = "The Cluster; -n names its namespace")
    List<String> words = new ArrayList<>();

    @Option(names = "--all", description = "Machines too whose Nodes are as declared, however many there are")
    boolean all;

    @Mixin
    Output output = new Output();

    @Mixin
    SnapshotOptions options;

    TreeCommand(InputStream in, Terminal terminal, ClusterOptions cluster) {
        this.terminal = terminal;
        this.options = new SnapshotOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        ObjectArgument argument = ObjectArgument.of(words, List.of("cluster"));
        Tree tree = options.isGiven() ? offline(argument.name()) : live(argument.name());
        Screen screen = Screen.of(terminal);
        output.print(tree.warnings(), () -> TreeJson.of(tree), () -> output.isName()
                ? TreeJson.names(tree)
                : output.isWide() ? TreeText.of(tree, screen.unlimited(), true) : TreeText.of(tree, screen, all));
        return 0;
    }

    private Tree offline(String name) throws IOException {
        String named = options.cluster.namedNamespace();
        Snapshot read = options.read(named.isEmpty() ? name : named + '/' + name);
        if (read.named().size() > 1) {
            throw new IllegalArgumentException("there are several Clusters " + name + ": name a namespace (-n)");
        }
        String namespace = named.isEmpty()
                ? read.clusterApi("Cluster").stream().filter(found -> found.id().key().name().equals(name))
                        .map(found -> found.id().key().namespace()).findFirst().orElse("default")
                : named;
        return Tree.of(read, new ObjectKey(namespace, name), options.gates());
    }

    private Tree live(String name) throws IOException {
        try (ClusterPair clusters = options.workload.connectTo(options.cluster, name)) {
            ObjectKey key = new ObjectKey(clusters.management().namespace(), name);
            return Tree.of(LiveSnapshot.ofCluster(clusters), key, options.gates());
        }
    }
}
