package io.nodeward.cli;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.device.DeviceExplanation;
import io.nodeward.cli.device.DeviceJson;
import io.nodeward.cli.device.DeviceText;
import io.nodeward.cli.device.LiveDevices;
import io.nodeward.cli.explain.LiveSnapshot;
import io.nodeward.cli.explain.NodeExplanation;
import io.nodeward.cli.explain.NodeJson;
import io.nodeward.cli.explain.NodeText;
import io.nodeward.cli.explain.PodExplanation;
import io.nodeward.cli.explain.PodJson;
import io.nodeward.cli.explain.PodText;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import io.nodeward.core.rules.toleration.Tolerance;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nodeward explain}: which object put this taint here, and why is this pod pending, or this
 * device tainted. */
@Command(name = "explain", sortOptions = false, description = {
        "Of a Node, says of each taint where it comes from, since when, who manages it and whether it is declared, and what"
                + " is declared and not there.",
        "Of a pod, says for each Node the first reason that filters it out, in the scheduler's order, and what evicts it"
                + " where it is.",
        "Of a device, says of each taint where it comes from, why rules select it or do not, who uses it, and which pods"
                + " NoExecute evicts.",
        "",
        "  nodeward explain node/NAME",
        "  nodeward explain pod/NAME [--on node/NAME]",
        "  nodeward explain device NODE/NAME",
        "",
        "From a live cluster, or with -f from files.",
        "Exit codes: 0 explained, 1 wrong usage, a file cannot be read, a cluster not be reached, or there is no such"
                + " object."
})
final class ExplainCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "KIND/NAME", arity = "1..2", description = "node/NAME, pod/NAME, or device"
            + " with NODE/NAME, POOL/NAME or DRIVER/POOL/NAME")
    List<String> words = new ArrayList<>();

    @Option(names = "--on", paramLabel = "node/NAME", defaultValue = "", description = "Of a pod: only this Node")
    String on = "";

    @Mixin
    ClusterName cluster = new ClusterName();

    @Mixin
    DeviceFeatures devices = new DeviceFeatures();

    @Mixin
    Tolerated tolerated = new Tolerated();

    @Mixin
    Output output = new Output();

    @Mixin
    SnapshotOptions options;

    ExplainCommand(InputStream in, Terminal terminal, ClusterOptions cluster) {
        this.terminal = terminal;
        this.options = new SnapshotOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        ObjectArgument argument = ObjectArgument.of(words, List.of("node", "pod", "device"));
        if (!on.isEmpty() && !argument.kind().equals("pod")) {
            throw new IllegalArgumentException("--on is of pods: 'nodeward explain pod/NAME --on node/NAME'");
        }
        switch (argument.kind()) {
            case "node" -> node(argument.name());
            case "device" -> device(argument.name());
            default -> pod(argument.name(), on.isEmpty() ? ""
                    : ObjectArgument.of(List.of(on.contains("/") ? on : "node/" + on), List.of("node")).name());
        }
        return 0;
    }

    private void node(String name) throws IOException {
        NodeExplanation node;
        if (options.isGiven()) {
            node = NodeExplanation.of(options.read(cluster.named()), name, options.gates());
        } else {
            try (ClusterPair clusters = options.workload.connect(options.cluster, cluster.named(), name)) {
                node = NodeExplanation.of(LiveSnapshot.ofNode(clusters, name), name, options.gates());
            }
        }
        Screen screen = Screen.of(terminal);
        output.print(node.warnings(), () -> NodeJson.of(node), () -> output.isName()
                ? NodeText.names(node)
                : output.isWide() ? NodeText.wide(node, screen) : NodeText.full(node, screen));
    }

    private void pod(String name, String only) throws IOException {
        Tolerance tolerance = tolerated.tolerance();
        PodExplanation pod;
        if (options.isGiven()) {
            Snapshot read = options.read(cluster.named());
            ObjectKey key = new ObjectKey(options.namespace(), name);
            pod = PodExplanation.of(read, new PodExplanation.Question(key, only, options.gates(), tolerance));
        } else {
            try (ClusterPair clusters = options.workload.connect(options.cluster, cluster.named(), only)) {
                ObjectKey key = new ObjectKey(clusters.workload().namespace(), name);
                pod = PodExplanation.of(LiveSnapshot.ofPod(clusters, key, only),
                        new PodExplanation.Question(key, only, options.gates(), tolerance));
            }
        }
        Screen screen = output.isWide() ? Screen.of(terminal).unlimited() : Screen.of(terminal);
        output.print(pod.warnings(), () -> PodJson.of(pod), () -> output.isName()
                ? PodText.names(pod)
                : PodText.of(pod, screen, output.isWide()));
    }

    private void device(String name) throws IOException {
        DeviceExplanation device;
        if (options.isGiven()) {
            device = DeviceExplanation.of(LiveDevices.of(options.read(cluster.named()), devices.features(), false),
                    name);
        } else {
            try (ClusterPair clusters = options.workload.connectHome(options.cluster, cluster.named())) {
                device = DeviceExplanation.of(LiveDevices.of(clusters.workload(), devices.features(), false), name);
            }
        }
        Screen screen = output.isWide() ? Screen.of(terminal).unlimited() : Screen.of(terminal);
        output.print(device.warnings(), () -> DeviceJson.of(device), () -> output.isName()
                ? DeviceText.names(device)
                : DeviceText.of(device, screen, output.isWide()));
    }
}
