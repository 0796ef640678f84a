package io.nodeward.cli;

import io.nodeward.cli.device.DeviceSnapshot;
import io.nodeward.cli.device.DeviceList;
import io.nodeward.cli.device.DeviceListJson;
import io.nodeward.cli.device.DeviceListText;
import io.nodeward.cli.device.LiveDevices;
import io.nodeward.cli.live.ClusterOptions;
import io.nodeward.cli.live.Time;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Screen;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code nodeward device}: which devices there are, what taints them and who uses them. */
@Command(name = "device", sortOptions = false, description = {
        "Lists the devices that ResourceSlices publish, in the newest generation of each pool, with their Node, driver and"
                + " pool, who uses them, and each taint: of the driver, or of the DeviceTaintRule that selects the device.",
        "",
        "  nodeward device list",
        "  nodeward device list --tainted --node n1",
        "",
        "'nodeward explain device NODE/NAME' says more of one. From a live cluster, or with -f from files.",
        "Exit codes: 0 listed, 1 a file cannot be read, a cluster not be reached, or there is no such rule, 2 wrong usage."
})
final class DeviceCommand implements Callable<Integer> {
    private static final String NODE = "node/";

    enum Verb {
        list
    }

    private final Terminal terminal;
    private final Time time;

    @Parameters(paramLabel = "list", arity = "1", description = "What to do")
    Verb verb = Verb.list;

    @Option(names = "--node", paramLabel = "NAME", defaultValue = "", description = "Devices that this Node alone has")
    String node = "";

    @Option(names = "--driver", paramLabel = "NAME", defaultValue = "", description = "Devices of this driver")
    String driver = "";

    @Option(names = "--rule", paramLabel = "NAME", defaultValue = "", description = "Devices that this DeviceTaintRule"
            + " selects, or for which its expressions have no answer")
    String rule = "";

    @Option(names = "--tainted", description = "Devices with a taint, or for which a rule has no answer")
    boolean tainted;

    @Mixin
    ClusterName cluster = new ClusterName();

    @Mixin
    DeviceFeatures devices = new DeviceFeatures();

    @Mixin
    Output output = new Output();

    @Mixin
    FleetOptions options;

    DeviceCommand(InputStream in, Terminal terminal, ClusterOptions cluster, Time time) {
        this.terminal = terminal;
        this.time = time;
        this.options = new FleetOptions(cluster, in);
    }

    @Override
    public Integer call() throws IOException {
        String ofNode = node.startsWith(NODE) ? node.substring(NODE.length()) : node;
        DeviceList list = DeviceList.of(snapshot(), new DeviceList.Filter(ofNode, driver, rule, tainted));
        Screen screen = output.isWide() ? Screen.of(terminal).unlimited() : Screen.of(terminal);
        output.print(list.warnings(), () -> DeviceListJson.of(list), () -> output.isName()
                ? DeviceListText.names(list)
                : output.isWide() ? DeviceListText.wide(list, screen, time.now()) : DeviceListText.of(list, screen));
        return 0;
    }

    private DeviceSnapshot snapshot() throws IOException {
        if (options.isGiven()) {
            return new DeviceSnapshot(options.read(cluster.named()), devices.features());
        }
        try (ClusterPair clusters = options.workload.connectHome(options.cluster, cluster.named())) {
            return new DeviceSnapshot(LiveDevices.of(clusters.workload()), devices.features());
        }
    }
}
