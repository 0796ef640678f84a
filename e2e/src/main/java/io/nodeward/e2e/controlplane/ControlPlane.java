package io.nodeward.e2e.controlplane;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A real API server: an existing one if NODEWARD_E2E_KUBECONFIG names it, else etcd and kube-apiserver as processes of
 * this JVM, with the Node and RBAC authorizers on and an audit log.
 */
public final class ControlPlane implements AutoCloseable {
    private static final FutureTask<ControlPlane> SHARED = new FutureTask<>(() -> start(Options.standard()));
    private static final List<String> MASTERS = List.of("system:masters");

    private final Binaries binaries;
    private final Path directory;
    private final Optional<LocalServers> servers;
    private final Optional<AuditLog> audit;
    private final Kubeconfig adminKubeconfig;
    private final AdminClient admin;
    private final Thread atExit = new Thread(this::end, "delete control plane");
    private final AtomicInteger files = new AtomicInteger();

    private ControlPlane(Binaries binaries, Path directory, Optional<LocalServers> servers, Kubeconfig admin) {
        this.binaries = binaries;
        this.directory = directory;
        this.servers = servers;
        this.audit = servers.map(local -> new AuditLog(local.auditLog()));
        this.adminKubeconfig = admin;
        this.admin = new AdminClient(admin);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** The one that all suites of this JVM share; it ends with the JVM. Objects need names of their own suite. */
    public static ControlPlane shared() {
        SHARED.run();
        try {
            return SHARED.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("no control plane: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the control plane starts", e);
        }
    }

    /** Returns when the API server is ready. */
    public static ControlPlane start(Options options) {
        Path directory = Directories.io(() -> Files.createTempDirectory("nodeward-control-plane-"));
        Binaries binaries = Binaries.fromEnvironment();
        Optional<Path> existing = Setting.NODEWARD_E2E_KUBECONFIG.path();
        if (existing.isPresent()) {
            return new ControlPlane(binaries, directory, Optional.empty(), Kubeconfig.read(existing.get()));
        }
        try {
            LocalServers servers = LocalServers.start(binaries, options, directory);
            return new ControlPlane(binaries, directory, Optional.of(servers), servers.client("admin", MASTERS));
        } catch (RuntimeException e) {
            Directories.delete(directory);
            throw e;
        }
    }

    /** Whether it was there before, so that there is no audit log and no user of one's own making. */
    public boolean isExisting() {
        return servers.isEmpty();
    }

    /** A client that may do everything. */
    public AdminClient admin() {
        return admin;
    }

    public Kubeconfig adminKubeconfig() {
        return adminKubeconfig;
    }

    /** For a user with a client certificate; nothing is allowed to it but what RBAC gives to its name and groups. */
    public Kubeconfig kubeconfigForUser(String user, List<String> groups) {
        return local("a client certificate").client(user, groups);
    }

    /** For an existing ServiceAccount, with a token of the TokenRequest API that is good for a day. */
    public Kubeconfig kubeconfigForServiceAccount(String namespace, String name) {
        return withToken(namespace, name, Map.of());
    }

    /** As above, but the token ends with an existing Secret: at once for servers that did not use it in the last 10 s. */
    public Kubeconfig kubeconfigBoundToSecret(String namespace, String name, String secret) {
        return withToken(namespace, name,
                Map.of("boundObjectRef", Map.of("apiVersion", "v1", "kind", "Secret", "name", secret)));
    }

    private Kubeconfig withToken(String namespace, String name, Map<String, Object> bound) {
        String path = "/api/v1/namespaces/" + namespace + "/serviceaccounts/" + name + "/token";
        Map<String, Object> spec = new HashMap<>(bound);
        spec.put("expirationSeconds", Duration.ofDays(1).toSeconds());
        var request = Json.tree(
                Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest", "spec", spec));
        String token = admin.create(path, request).path("status").path("token").asText();
        return new Kubeconfig(adminKubeconfig.server(), adminKubeconfig.caPem(), new Kubeconfig.Token(token));
    }

    /** Writes it where it is deleted with this control plane. */
    public Path file(Kubeconfig kubeconfig) {
        return kubeconfig.writeTo(directory.resolve("kubeconfig-" + files.incrementAndGet()));
    }

    public Kubectl kubectl(Kubeconfig kubeconfig) {
        Path home = Directories.create(directory.resolve("kubectl"));
        return new Kubectl(binaries.path(Component.KUBECTL), home, file(kubeconfig));
    }

    /** kubectl of one who may do everything. */
    public Kubectl kubectl() {
        return kubectl(adminKubeconfig);
    }

    /** Helm of one who may do everything. */
    public Helm helm() {
        return helm(Component.HELM);
    }

    /** @param version one of Helm's */
    public Helm helm(Component version) {
        Path home = Directories.create(directory.resolve("helm"));
        return new Helm(binaries.path(version), home, file(adminKubeconfig));
    }

    /** Starts the real kube-scheduler, and returns at once: what it does to a Pod is the sign that it is at work. */
    public LoggedProcess scheduler(String... flags) {
        return start(Component.KUBE_SCHEDULER,
                isExisting() ? adminKubeconfig : kubeconfigForUser("system:kube-scheduler", List.of()),
                Stream.of(flags));
    }

    /** Starts the real kube-controller-manager with these of its controllers, and returns at once. */
    public LoggedProcess controllerManager(List<String> controllers, String... flags) {
        return start(Component.KUBE_CONTROLLER_MANAGER, kubeconfigForUser("system:kube-controller-manager", MASTERS),
                Stream.concat(Stream.of("--controllers=" + String.join(",", controllers)), Stream.of(flags)));
    }

    private LoggedProcess start(Component component, Kubeconfig user, Stream<String> flags) {
        Path home = Directories.temporary(directory, component.program() + "-");
        Path kubeconfig = file(user);
        return LoggedProcess.start(component.program(), Stream.concat(Stream.of(
                binaries.path(component).toString(), "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig, "--authorization-kubeconfig=" + kubeconfig,
                "--bind-address=127.0.0.1", "--secure-port=" + Ports.free(), "--cert-dir=" + home,
                "--leader-elect=false"), flags).toList(), Map.of(), home);
    }

    /** @throws IllegalStateException in an existing cluster, whose audit log is out of reach */
    public AuditLog audit() {
        local("the audit log");
        return audit.orElseThrow();
    }

    public Binaries binaries() {
        return binaries;
    }

    /** Process id of kube-apiserver, for measurements. */
    public long apiServerPid() {
        return local("the process of kube-apiserver").apiServerPid();
    }

    /** Process id of etcd, for measurements. */
    public long etcdPid() {
        return local("the process of etcd").etcdPid();
    }

    /** Stops etcd and kube-apiserver, gives the folder with the data of etcd to {@code meanwhile}, and starts them again. */
    public void restart(Consumer<Path> meanwhile) {
        local("a restart").restart(meanwhile);
    }

    /** For files of those who use this control plane; gone when it is closed. */
    public Path directory() {
        return directory;
    }

    @Override
    public void close() {
        end();
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is going down: the hook does the same once more, which does no harm.
            return;
        }
    }

    private void end() {
        admin.close();
        servers.ifPresent(LocalServers::close);
        Directories.delete(directory);
    }

    private LocalServers local(String what) {
        return servers.orElseThrow(() -> new IllegalStateException(what + " is only to be had from a control plane that"
                + " is started here, and NODEWARD_E2E_KUBECONFIG names an existing cluster; unset it to run this"));
    }
}
