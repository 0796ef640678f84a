package io.nodeward.e2e.admission;

import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A controller in this JVM with the gate of admission on, which a server on this machine can call. */
final class RunningAdmission implements AutoCloseable {
    private final RunningNodeward nodeward;

    private RunningAdmission(RunningNodeward nodeward) {
        this.nodeward = nodeward;
    }

    /** @param gates besides that of admission, as {@code A=false} */
    static RunningAdmission start(Path kubeconfig, String gates, String... more) {
        int port = Ports.free();
        List<String> arguments = new ArrayList<>(List.of(
                "--feature-gates=MachineTaintAdmission=true" + (gates.isEmpty() ? "" : "," + gates),
                "--admission-address=127.0.0.1:" + port,
                "--admission-service=https://127.0.0.1:" + port));
        arguments.addAll(List.of(more));
        return new RunningAdmission(RunningNodeward.start(kubeconfig, arguments.toArray(String[]::new)));
    }

    /** The value of a metric; 0 where there is none. */
    double metric(String start) {
        return nodeward.metrics().lines().filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1))).sum();
    }

    @Override
    public void close() {
        nodeward.close();
    }
}
