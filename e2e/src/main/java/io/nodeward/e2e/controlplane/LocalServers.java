package io.nodeward.e2e.controlplane;

import io.nodeward.api.json.kubeconfig.Pem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** etcd and kube-apiserver on loopback, with their certificates and data in one temporary directory. */
final class LocalServers implements AutoCloseable {
    private static final int ATTEMPTS = 3;
    private static final Duration GRACE = Duration.ofMinutes(1);
    private static final String POLICY = "/io/nodeward/e2e/audit-policy.yaml";

    private final Binaries binaries;
    private final Options options;
    private final Path directory;
    private final CertificateAuthority authority = new CertificateAuthority("nodeward-e2e");
    private final List<Integer> ports = Ports.free(3);
    private final List<LoggedProcess> processes = new ArrayList<>();

    private LocalServers(Binaries binaries, Options options, Path directory) {
        this.binaries = binaries;
        this.options = options;
        this.directory = directory;
    }

    /** Returns when the API server is ready. */
    static LocalServers start(Binaries binaries, Options options, Path directory) {
        for (int attempt = 1;; attempt++) {
            try {
                return startOnce(binaries, options, Directories.create(directory.resolve("servers-" + attempt)));
            } catch (IllegalStateException e) {
                // Between finding a free port and using it, somebody else may have taken it.
                if (attempt == ATTEMPTS || !String.valueOf(e.getMessage()).contains("address already in use")) {
                    throw e;
                }
            }
        }
    }

    private static LocalServers startOnce(Binaries binaries, Options options, Path directory) {
        LocalServers servers = new LocalServers(binaries, options, directory);
        try {
            servers.start();
            return servers;
        } catch (RuntimeException e) {
            servers.close();
            throw e;
        }
    }

    private void start() {
        startEtcd(binaries.path(Component.ETCD), options);
        startApiServer(binaries.path(Component.KUBE_APISERVER), options);
    }

    /** Stops both, gives the folder with the data of etcd to {@code meanwhile}, and starts them again on the same ports. */
    void restart(Consumer<Path> meanwhile) {
        processes.getLast().close(); // kube-apiserver would wait until each client has ended its watches
        processes.getFirst().terminate(GRACE);
        processes.clear();
        meanwhile.accept(directory.resolve("etcd"));
        start();
    }

    Path auditLog() {
        return directory.resolve("audit.log");
    }

    Kubeconfig client(String user, List<String> groups) {
        CertificateAuthority.Identity identity = authority.client(user, groups);
        return new Kubeconfig(
                "https://127.0.0.1:" + ports.get(2),
                authority.certificate(),
                new Kubeconfig.ClientCertificate(identity.certificate(), identity.key()));
    }

    long etcdPid() {
        return processes.getFirst().pid();
    }

    long apiServerPid() {
        return processes.getLast().pid();
    }

    @Override
    public void close() {
        processes.reversed().forEach(LoggedProcess::close);
    }

    private void startEtcd(Path program, Options options) {
        String client = "http://127.0.0.1:" + ports.get(0);
        String peer = "http://127.0.0.1:" + ports.get(1);
        List<String> command = new ArrayList<>(List.of(program.toString(),
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + client, "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer, "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--quota-backend-bytes=4294967296", "--log-level=warn"));
        command.addAll(options.etcdFlags());
        start("etcd", command).awaitReady(() -> isHealthy(client + "/health"));
    }

    private void startApiServer(Path program, Options options) {
        List<String> command = new ArrayList<>(List.of(program.toString(),
                "--etcd-servers=http://127.0.0.1:" + ports.get(0),
                "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port=" + ports.get(2),
                "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16",
                "--authorization-mode=Node,RBAC",
                "--audit-policy-file="
                        + Directories.write(directory.resolve("audit-policy.yaml"), Directories.resource(POLICY)),
                "--audit-log-path=" + Directories.write(auditLog(), ""), "--audit-log-mode=blocking",
                // One file for the whole run: readers remember places in it.
                "--audit-log-maxsize=100000"));
        command.addAll(certificateFlags());
        command.addAll(options.apiServerFlags());
        LoggedProcess process = start("kube-apiserver", command);
        try (AdminClient admin = new AdminClient(client("nodeward-launcher", List.of("system:masters")))) {
            process.awaitReady(() -> isReady(admin));
        }
    }

    private List<String> certificateFlags() {
        CertificateAuthority.Identity server = authority.server("kube-apiserver");
        KeyPair tokens = CertificateAuthority.newKeys();
        String publicKey = Pem.written("PUBLIC KEY", tokens.getPublic().getEncoded());
        String privateKey = Pem.written("PRIVATE KEY", tokens.getPrivate().getEncoded());
        return List.of(
                "--tls-cert-file=" + Directories.write(directory.resolve("server.crt"), server.certificate()),
                "--tls-private-key-file=" + Directories.write(directory.resolve("server.key"), server.key()),
                "--client-ca-file=" + Directories.write(directory.resolve("ca.crt"), authority.certificate()),
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + Directories.write(directory.resolve("tokens.pub"), publicKey),
                "--service-account-signing-key-file="
                        + Directories.write(directory.resolve("tokens.key"), privateKey));
    }

    private LoggedProcess start(String name, List<String> command) {
        LoggedProcess process = LoggedProcess.start(name, command, Map.of(), directory);
        processes.add(process);
        return process;
    }

    private static boolean isReady(AdminClient admin) {
        try {
            return admin.send("GET", "/readyz", AdminClient.JSON, "").isOk();
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    static boolean isHealthy(String url) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
            return http.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
