package io.nodeward.cli;

import io.nodeward.cli.device.ClusterDevices;
import io.nodeward.cli.device.DeviceList;
import io.nodeward.cli.device.DeviceListJson;
import io.nodeward.cli.device.DeviceListText;
import io.nodeward.cli.device.DeviceTaintOptions;
import io.nodeward.cli.device.DeviceTainting;
import io.nodeward.cli.device.LiveDevices;
import io.nodeward.cli.device.RuleRequest;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code nodeward device}: which devices there are, what taints them and who uses them; and rules that taint them. */
@Command(name = "device", sortOptions = false, customSynopsis = {
        "nodeward device list [options]",
        "nodeward device taint NAME... TAINT [options]",
        "nodeward device taint [--class=NAME] [--cel=EXPRESSION] TAINT [options]",
        "nodeward device untaint RULE... | TAINT-... [options]"
}, description = {
        "list: the devices that ResourceSlices publish, in the newest generation of each pool, with their Node, driver and"
                + " pool, who uses them, and each taint: of the driver, or of the DeviceTaintRule that selects the device.",
        "taint: says which devices a taint would be on and which pods NoExecute would evict, and makes a DeviceTaintRule."
                + " TAINT is KEY[=VALUE]:EFFECT, with the effect None, NoSchedule or NoExecute. A device is named NODE/NAME,"
                + " POOL/NAME or DRIVER/POOL/NAME.",
        "untaint: deletes DeviceTaintRules, by their names or by their taints.",
        "",
        "  nodeward device list --tainted --node n1",
        "  nodeward device taint n1/gpu-0 example.com/broken:None",
        "  nodeward device taint n1/gpu-0 example.com/broken:NoExecute --overwrite",
        "  nodeward device untaint example.com/broken:NoExecute-",
        "",
        "'nodeward explain device NODE/NAME' says more of one. From a live cluster, or with -f from files.",
        "Exit codes: 0 done, 1 wrong usage, a file cannot be read, a cluster not be reached, there is no such rule or"
                + " device, or it was not meant."
})
final class DeviceCommand implements Callable<Integer> {
    private static final String NODE = "node/";

    enum Verb {
        list,
        taint,
        untaint
    }

    private final InputStream in;
    private final Terminal terminal;
    private final Time time;

    @Parameters(index = "0", paramLabel = "VERB", description = "list, taint or untaint")
    Verb verb = Verb.list;

    @Parameters(index = "1..*", paramLabel = "ARG", hidden = true)
    List<String> words = new ArrayList<>();

    @Option(names = "--node", paramLabel = "NAME", defaultValue = "", description = "list: devices that this Node alone"
            + " has")
    String node = "";

    @Option(names = "--driver", paramLabel = "NAME", defaultValue = "", description = "Devices of this driver")
    String driver = "";

    @Option(names = "--rule", paramLabel = "NAME", defaultValue = "", description = "list: devices that this"
            + " DeviceTaintRule selects, or for which its expressions have no answer")
    String rule = "";

    @Option(names = "--tainted", description = "list: devices with a taint, or for which a rule has no answer")
    boolean tainted;

    @Mixin
    DeviceTaintOptions tainting = new DeviceTaintOptions();

    @Mixin
    ClusterName cluster = new ClusterName();

    @Mixin
    DeviceFeatures devices = new DeviceFeatures();

    @Mixin
    Output output = new Output();

    @Mixin
    FleetOptions options;

    @Spec
    @Nullable
    CommandSpec spec;

    DeviceCommand(InputStream in, Terminal terminal, ClusterOptions cluster, Time time) {
        this.in = in;
        this.terminal = terminal;
        this.time = time;
        this.options = new FleetOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        if (options.isGiven()) {
            return run(Optional.empty(), Optional.of(options.read(cluster.named())));
        }
        try (ClusterPair clusters = options.workload.connectHome(options.cluster, cluster.named())) {
            return run(Optional.of(clusters.workload()), Optional.empty());
        }
    }

    private int run(Optional<LiveCluster> live, Optional<Snapshot> files) throws IOException {
        return switch (verb) {
            case list -> list(devices(live, files));
            case taint -> tainting(live).taint(
                    new RuleRequest(words, tainting, driver, time.now()), devices(live, files));
            case untaint -> {
                if (words.isEmpty()) {
                    throw new IllegalArgumentException("name rules, or taints with a '-' at their end");
                }
                yield tainting(live).untaint(words);
            }
        };
    }

    private int list(ClusterDevices known) throws IOException {
        if (!words.isEmpty()) {
            throw new IllegalArgumentException(
                    "device list takes no names: --node, --driver and --rule select devices");
        }
        String ofNode = node.startsWith(NODE) ? node.substring(NODE.length()) : node;
        DeviceList list = DeviceList.of(known, new DeviceList.Filter(ofNode, driver, rule, tainted));
        Screen screen = output.isWide() ? Screen.of(terminal).unlimited() : Screen.of(terminal);
        output.print(list.warnings(), () -> DeviceListJson.of(list), () -> output.isName()
                ? DeviceListText.names(list)
                : output.isWide() ? DeviceListText.wide(list, screen, time.now()) : DeviceListText.of(list, screen));
        return 0;
    }

    private DeviceTainting tainting(Optional<LiveCluster> live) {
        PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
        return new DeviceTainting(live, tainting, new RulePrinter(output, in, terminal), err);
    }

    private ClusterDevices devices(Optional<LiveCluster> live, Optional<Snapshot> files) {
        return files.map(read -> LiveDevices.of(read, devices.features(), tainting.respectsBudgets()))
                .orElseGet(() -> LiveDevices.of(live.orElseThrow(), devices.features(), tainting.respectsBudgets()));
    }
}
