package io.nodeward.e2e.bench.micro;

import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import java.nio.file.Path;

/**
 * Records what the controller does for heartbeats and for changed Nodes, on a control plane of its own. Prints CPU per
 * heartbeat and per changed Node, measured without the recorder; {@code jfr view hot-methods} and {@code jfr view
 * allocation-by-site} show the recordings.
 */
public final class ProfileMain {
    private static final int RATE = 200;
    private static final int SECONDS = 20;
    private static final int CHANGES = 4;

    private final ProfiledFleet fleet;
    private final ProfiledController controller;
    private final int nodes;
    private int value;

    private ProfileMain(ProfiledFleet fleet, ProfiledController controller, int nodes) {
        this.fleet = fleet;
        this.controller = controller;
        this.nodes = nodes;
    }

    /** Arguments: the checkout, a directory for recordings, a backend, how many Nodes. */
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]).toAbsolutePath();
        int nodes = Integer.parseInt(arguments[3]);
        try (ControlPlane servers = ControlPlane.start(Options.standard())) {
            ClusterApiCrds.install(servers.admin());
            ProfiledFleet fleet = new ProfiledFleet(servers.admin(), servers.adminKubeconfig(), nodes);
            try (ProfiledController controller = new ProfiledController(
                    Path.of(arguments[0]).toAbsolutePath(), directory, servers.file(servers.adminKubeconfig()),
                    arguments[2])) {
                new ProfileMain(fleet, controller, nodes).run();
            }
        }
    }

    private void run() throws Exception {
        changes(); // warms up
        fleet.heartbeats(RATE, SECONDS);
        double idle = cpu(() -> Thread.sleep(10_000)) / 10;
        print("idle, CPU s per s: %.4f (not taken off)", idle);
        each("heartbeat", RATE * SECONDS, () -> fleet.heartbeats(RATE, SECONDS));
        each("changed Node", CHANGES * nodes, this::changes);
        controller.startRecording("heartbeats");
        fleet.heartbeats(RATE, SECONDS);
        print("%s", controller.stopRecording("heartbeats"));
        controller.startRecording("changes");
        changes();
        changes();
        print("%s", controller.stopRecording("changes"));
    }

    private void changes() {
        for (int i = 0; i < CHANGES; i++) {
            fleet.declare("v" + ++value);
        }
    }

    private void each(String what, int count, Step step) throws Exception {
        double compiling = controller.compilerSeconds();
        double seconds = cpu(step);
        compiling = controller.compilerSeconds() - compiling;
        print("CPU per %s, ms: %.3f, of which compiling %.3f", what, 1000 * seconds / count, 1000 * compiling / count);
    }

    private double cpu(Step step) throws Exception {
        double before = controller.cpuSeconds();
        step.run();
        return controller.cpuSeconds() - before;
    }

    private static void print(String format, Object... values) {
        System.out.println(format.formatted(values));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }
}
