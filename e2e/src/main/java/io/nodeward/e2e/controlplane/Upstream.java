package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** A manager of Cluster API as a process, built from its module; its webhooks are in nobody's path until asked for. */
public record Upstream(LoggedProcess process, UpstreamProgram program, WebhookServer webhooks)
        implements AutoCloseable {
    /** Name of its user in the management cluster, as the audit log shows it. */
    public static final String USER = "cluster-api-manager";

    private static final Duration GRACE = Duration.ofSeconds(60);

    /** Where it serves its webhooks, and who has signed its certificate. */
    private record WebhookServer(int port, CertificateAuthority authority) {
        static WebhookServer onFreePort() {
            return new WebhookServer(Ports.free(), new CertificateAuthority("webhooks"));
        }
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
        return start(controlPlane, ClusterApiRelease.LATEST, featureGates, flags);
    }

    /** As above, of another release. */
    public static Upstream start(
            ControlPlane controlPlane, ClusterApiRelease release, String featureGates, String... flags) {
        return start(controlPlane, UpstreamProgram.core(release), featureGates, flags);
    }

    /**
     * The manager of control planes which kubeadm sets up; its CRDs must be installed too. It looks for an etcd behind each
     * of its Nodes and does nothing else meanwhile, so it is told not to wait long for what is not there.
     */
    public static Upstream startKubeadmControlPlane(
            ControlPlane controlPlane, ClusterApiRelease release, String featureGates) {
        return start(controlPlane, UpstreamProgram.kubeadmControlPlane(release), featureGates,
                "--etcd-dial-timeout-duration=500ms", "--etcd-call-timeout-duration=500ms");
    }

    private static Upstream start(
            ControlPlane controlPlane, UpstreamProgram program, String featureGates, String... flags) {
        Path directory = Directories.temporary(controlPlane.directory(), "upstream-");
        int health = Ports.free();
        WebhookServer webhooks = WebhookServer.onFreePort();
        List<String> command =
                command(controlPlane, program, kubeconfig(controlPlane), featureGates, health, directory, webhooks);
        command.addAll(List.of(flags));
        LoggedProcess process = LoggedProcess.start(program.name(), command, Map.of(), directory);
        try {
            process.awaitReady(() -> LocalServers.isHealthy("http://127.0.0.1:" + health + "/readyz"));
            return new Upstream(process, program, webhooks);
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
        int health = Ports.free();
        List<String> command =
                command(controlPlane, UpstreamProgram.core(ClusterApiRelease.LATEST), management, featureGates,
                        health, directory, WebhookServer.onFreePort());
        command.addAll(flags);
        return LoggedProcess.start("cluster-api", command, Map.of(), directory);
    }

    private static List<String> command(
            ControlPlane controlPlane,
            UpstreamProgram program,
            Kubeconfig management,
            String featureGates,
            int health,
            Path directory,
            WebhookServer webhooks) {
        return new ArrayList<>(List.of(
                controlPlane.binaries().path(program.component()).toString(),
                "--kubeconfig=" + controlPlane.file(management),
                "--feature-gates=" + featureGates,
                "--webhook-cert-dir=" + certificates(webhooks, directory),
                "--webhook-port=" + webhooks.port(),
                "--health-addr=127.0.0.1:" + health,
                "--diagnostics-address=127.0.0.1:" + Ports.free(), "--insecure-diagnostics=true"));
    }

    /** Has the API server ask its webhooks, as a real installation does, until what is returned is closed. */
    public ClusterApiWebhooks install(AdminClient admin) {
        return ClusterApiWebhooks.install(admin, program, webhooks.port(), webhooks.authority().certificate());
    }

    /** Returns the {@code spec.conversion} of a CRD whose objects it converts. */
    public JsonNode conversion() {
        return Json.tree(Map.of("strategy", "Webhook", "webhook", Map.of(
                "conversionReviewVersions", List.of("v1"),
                "clientConfig", Map.of("url", "https://127.0.0.1:" + webhooks.port() + "/convert",
                        "caBundle", Base64.getEncoder().encodeToString(
                                webhooks.authority().certificate().getBytes(StandardCharsets.UTF_8))))));
    }

    /** Ends it as Kubernetes would, with SIGTERM, and returns when it is gone. */
    public void stop() {
        process.terminate(GRACE);
    }

    /** The end of what it logged. */
    public String log() {
        return process.tail();
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

    // It does not start without, whether or not somebody calls them.
    private static Path certificates(WebhookServer webhooks, Path directory) {
        CertificateAuthority.Identity webhook = webhooks.authority().server("webhook");
        Path certificates = Directories.create(directory.resolve("webhook"));
        Directories.write(certificates.resolve("tls.crt"), webhook.certificate());
        Directories.write(certificates.resolve("tls.key"), webhook.key());
        return certificates;
    }
}
