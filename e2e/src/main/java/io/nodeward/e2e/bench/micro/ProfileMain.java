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
    private static final int SECONDS = 30;
    private static final int CHANGES = 5;

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
        int[] beats = {0};
        double seconds = cpu(() -> beats[0] = fleet.heartbeats(RATE, SECONDS));
        print("CPU per heartbeat, ms: %.3f (idle, %.4f s/s, not taken off)", 1000 * seconds / beats[0], idle);
        print("CPU per changed Node, ms: %.3f", 1000 * cpu(this::changes) / (CHANGES * nodes));
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
