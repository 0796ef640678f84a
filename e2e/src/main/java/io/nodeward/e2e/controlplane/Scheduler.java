package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The real kube-scheduler as a process. Its part is to bind Pods, or to say in their status why it does not. */
public final class Scheduler implements AutoCloseable {
    private static final String USER = "system:kube-scheduler";

    private final LoggedProcess process;

    private Scheduler(LoggedProcess process) {
        this.process = process;
    }

    /**
     * Returns at once: what it does to a Pod is the sign that it is at work.
     *
     * @param flags beside those that it always has
     */
    public static Scheduler start(ControlPlane controlPlane, String... flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "scheduler-");
        Path kubeconfig = controlPlane.file(controlPlane.isExisting()
                ? controlPlane.adminKubeconfig()
                : controlPlane.kubeconfigForUser(USER, List.of()));
        return new Scheduler(LoggedProcess.start("kube-scheduler", Stream.concat(Stream.of(
                controlPlane.binaries().path(Component.KUBE_SCHEDULER).toString(),
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1", "--secure-port=" + Ports.free(),
                "--cert-dir=" + directory, "--leader-elect=false"), Stream.of(flags)).toList(), Map.of(), directory));
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
