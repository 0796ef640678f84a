package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The real kube-controller-manager as a process, with those of its controllers that a suite asks for. */
public final class ControllerManager implements AutoCloseable {
    private static final String USER = "system:kube-controller-manager";

    private final LoggedProcess process;

    private ControllerManager(LoggedProcess process) {
        this.process = process;
    }

    /**
     * Returns at once: what they do is the sign that they are at work.
     *
     * @param controllers by their names
     * @param flags beside those that it always has
     */
    public static ControllerManager start(ControlPlane controlPlane, List<String> controllers, String... flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "controller-manager-");
        Path kubeconfig = controlPlane.file(controlPlane.kubeconfigForUser(USER, List.of("system:masters")));
        return new ControllerManager(LoggedProcess.start("kube-controller-manager", Stream.concat(Stream.of(
                controlPlane.binaries().path(Component.KUBE_CONTROLLER_MANAGER).toString(),
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
                "--controllers=" + String.join(",", controllers),
                "--bind-address=127.0.0.1", "--secure-port=" + Ports.free(),
                "--cert-dir=" + directory, "--leader-elect=false"), Stream.of(flags)).toList(), Map.of(), directory));
    }

    /** The time of processors that it has taken since its start. */
    public Duration cpu() {
        return ProcessHandle.of(process.pid()).flatMap(handle -> handle.info().totalCpuDuration()).orElseThrow();
    }

    /** The end of what it logged. */
    public String log() {
        return process.tail();
    }

    @Override
    public void close() {
        process.close();
    }
}
