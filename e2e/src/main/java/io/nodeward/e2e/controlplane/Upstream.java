package io.nodeward.e2e.controlplane;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cluster API's core manager as a process, built from its module; without its webhooks in the path of requests. */
public final class Upstream implements AutoCloseable {
    /** Name of its user in the management cluster, as the audit log shows it. */
    public static final String USER = "cluster-api-manager";

    private static final Duration GRACE = Duration.ofSeconds(60);

    private final LoggedProcess process;

    private Upstream(LoggedProcess process) {
        this.process = process;
    }

    /** With taint propagation, MachinePools and topologies on. */
    public static Upstream start(ControlPlane controlPlane) {
        return start(controlPlane, "MachinePool=true,ClusterTopology=true,MachineTaintPropagation=true");
    }

    /**
     * Returns when its health port says ready, which is before its caches are filled. The CRDs must be installed.
     *
     * @param featureGates as its flag takes them, {@code A=true,B=false}
     * @param flags added to its command line
     */
    public static Upstream start(ControlPlane controlPlane, String featureGates, String... flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "upstream-");
        int health = Ports.free(1).getFirst();
        List<String> command = command(controlPlane, kubeconfig(controlPlane), featureGates, health, directory);
        command.addAll(List.of(flags));
        LoggedProcess process = LoggedProcess.start("cluster-api", command, Map.of(), directory);
        try {
            process.awaitReady(() -> LocalServers.isHealthy("http://127.0.0.1:" + health + "/readyz"));
            return new Upstream(process);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    /**
     * Starts it and does not wait for anything, for those who measure its start.
     *
     * @param management who it is in the management cluster
     */
    public static LoggedProcess launch(
            ControlPlane controlPlane, Kubeconfig management, String featureGates, List<String> flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "upstream-");
        int health = Ports.free(1).getFirst();
        List<String> command = command(controlPlane, management, featureGates, health, directory);
        command.addAll(flags);
        return LoggedProcess.start("cluster-api", command, Map.of(), directory);
    }

    private static List<String> command(
            ControlPlane controlPlane, Kubeconfig management, String featureGates, int health, Path directory) {
        List<Integer> ports = Ports.free(2);
        return new ArrayList<>(List.of(
                controlPlane.binaries().path(Component.CLUSTER_API).toString(),
                "--kubeconfig=" + controlPlane.file(management),
                "--feature-gates=" + featureGates,
                "--webhook-cert-dir=" + webhookCertificates(directory),
                "--webhook-port=" + ports.get(0),
                "--health-addr=127.0.0.1:" + health,
                "--diagnostics-address=127.0.0.1:" + ports.get(1), "--insecure-diagnostics=true"));
    }

    /** Ends it as Kubernetes would, with SIGTERM, and returns when it is gone. */
    public void stop() {
        process.terminate(GRACE);
    }

    /** The end of what it logged. */
    public String log() {
        return process.tail();
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }

    private static Kubeconfig kubeconfig(ControlPlane controlPlane) {
        return controlPlane.isExisting()
                ? controlPlane.adminKubeconfig()
                : controlPlane.kubeconfigForUser(USER, List.of("system:masters"));
    }

    // Nobody calls the webhooks, but the manager does not start without a certificate for them.
    private static Path webhookCertificates(Path directory) {
        CertificateAuthority.Identity webhook = new CertificateAuthority("webhooks").server("webhook");
        Path certificates = Directories.create(directory.resolve("webhook"));
        Directories.write(certificates.resolve("tls.crt"), webhook.certificate());
        Directories.write(certificates.resolve("tls.key"), webhook.key());
        return certificates;
    }
}
