package io.nodeward.cli.live;

import io.nodeward.api.json.kubeconfig.Access.Impersonation;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.official.OfficialBackend;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Which cluster a command is about: a mixin of kubectl's flags. Nothing of a client is loaded until it connects. */
public final class ClusterOptions {
    /** A server's own limit for a request is 60 s; one without end is still not for ever. */
    private static final Duration ENDLESS = Duration.ofDays(1);
    private static final Resource SECRETS = new Resource("", "v1", "secrets", true);

    @Option(names = "--kubeconfig", paramLabel = "FILE", defaultValue = "", description = "Where clusters and users are"
            + " described (default: the files of $$KUBECONFIG, else ~/.kube/config, else the pod's ServiceAccount)")
    String kubeconfig = "";

    @Option(names = "--context", paramLabel = "NAME", defaultValue = "", description = "The context of the kubeconfig"
            + " to use (default: its current one)")
    String context = "";

    @Option(names = {"-n", "--namespace"}, paramLabel = "NAMESPACE", defaultValue = "", description = "Of objects that"
            + " have one (default: the context's)")
    String namespace = "";

    @Option(names = "--request-timeout", paramLabel = "TIME", defaultValue = "30s", description = "How long to wait for"
            + " one answer of the server: 30s, 5m, 0 for no limit (default: ${DEFAULT-VALUE})")
    String requestTimeout = "30s";

    @Option(names = "--as", paramLabel = "USER", defaultValue = "", description = "Act as this user")
    String as = "";

    @Option(names = "--as-group", paramLabel = "GROUP", description = "Act as one of this group; may be given again")
    List<String> asGroups = new ArrayList<>();

    private final Map<String, String> environment;
    private final Path serviceAccount;
    private final Supplier<Backend> backend;

    /** With the environment of this process. */
    public ClusterOptions() {
        this(System.getenv());
    }

    public ClusterOptions(Map<String, String> environment) {
        this(environment, FoundKubeconfig.SERVICE_ACCOUNT, () -> new OfficialBackend()); // '::new' would load it at once
    }

    /** @param serviceAccount the folder where a pod finds its own */
    ClusterOptions(Map<String, String> environment, Path serviceAccount, Supplier<Backend> backend) {
        this.environment = environment;
        this.serviceAccount = serviceAccount;
        this.backend = backend;
    }

    /**
     * Finds the kubeconfig and prepares the connection; nothing is sent yet.
     *
     * @throws LiveFailure if there is no kubeconfig, or none that can be used
     * @throws IllegalArgumentException if an option is not as it should be
     */
    public LiveCluster connect() {
        if (as.isEmpty() && !asGroups.isEmpty()) {
            throw new IllegalArgumentException("--as-group says what group --as is of, which is missing");
        }
        FoundKubeconfig found = FoundKubeconfig.find(kubeconfig, environment, serviceAccount);
        Optional<Impersonation> whom = as.isEmpty() ? Optional.empty()
                : Optional.of(new Impersonation(as, "", asGroups, Map.of()));
        return connect(found, context(found, context, "--context"), "", whom);
    }

    /**
     * Prepares a connection to another cluster, as the user of its kubeconfig.
     *
     * @param file with its kubeconfig
     * @param wanted its context; empty for its current one
     */
    LiveCluster connect(Path file, String wanted) {
        FoundKubeconfig found = FoundKubeconfig.find(file.toString(), environment, serviceAccount);
        return connect(found, context(found, wanted, "--workload-context"),
                "Name another context with --workload-context.", Optional.empty());
    }

    /** @param instead another way, if it is not --context */
    private LiveCluster connect(FoundKubeconfig found, String chosen, String instead, Optional<Impersonation> whom) {
        Duration timeout = timeout();
        String own = found.kubeconfig().namespace(chosen).or(found::podNamespace).orElse("default");
        try {
            ClusterAccess access = new ClusterAccess(
                    found.kubeconfig().text(chosen, whom), Optional.of(found.file()), "nodeward/" + version());
            Route route = new Route(
                    "context " + chosen, found.kubeconfig().server(chosen).orElse(""), instead);
            return new LiveCluster(server(access, timeout), route, namespace.isEmpty() ? own : namespace, Time.SYSTEM);
        } catch (IllegalArgumentException unusable) {
            throw LiveFailure.unusable(
                    "error: context " + chosen + " cannot be used: " + unusable.getMessage(),
                    found.podNamespace().isPresent() ? "" : "It is of " + found.file() + ": fix it, or name another.");
        }
    }

    /**
     * The workload cluster of a Cluster in the namespace that is meant, by the kubeconfig that Cluster API keeps of it.
     * Nothing of that Secret may name files or programs, as somebody else wrote it.
     *
     * @throws LiveFailure if there is none, or none that can be used
     */
    public LiveCluster workload(LiveCluster management, String cluster) {
        return workload(management, new ObjectKey(management.namespace(), cluster),
                "Without --wait it is not needed.");
    }

    /** @param advice what to do without that Secret */
    LiveCluster workload(LiveCluster management, ObjectKey cluster, String advice) {
        ObjectKey key = new ObjectKey(cluster.namespace(), cluster.name() + "-kubeconfig");
        try {
            ClusterAccess access = new ClusterAccess(
                    kubeconfig(management, key, cluster, advice), Optional.empty(),
                    "nodeward/" + version());
            return new LiveCluster(server(access, timeout()),
                    new Route("Secret " + key, "of Cluster " + cluster, advice),
                    namespace.isEmpty() ? "default" : namespace, Time.SYSTEM);
        } catch (IllegalArgumentException unusable) {
            throw LiveFailure.unusable("error: Secret " + key + " cannot be used: " + unusable.getMessage(), advice);
        }
    }

    private static String kubeconfig(LiveCluster management, ObjectKey key, ObjectKey cluster, String advice) {
        String value = management.find(SECRETS, key).map(secret -> secret.at("/data/value").asText())
                .orElseThrow(() -> missing(management, key, cluster, advice));
        try {
            return new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message quotes a part of a credential
            throw new IllegalArgumentException("its data.value is not in base64", e);
        }
    }

    /** Names the Cluster if that does not exist, as its name may be mistyped. For a user who may not get it, it names the Secret. */
    private static LiveFailure missing(LiveCluster management, ObjectKey secret, ObjectKey cluster, String advice) {
        try {
            management.get(management.clusterApi("clusters"), cluster);
        } catch (LiveFailure failure) {
            if (failure.api().filter(ApiFailure.NotFound.class::isInstance).isPresent()) {
                return failure;
            }
        }
        return LiveFailure.unusable("error: there is no Secret " + secret + ", which leads to the Nodes of cluster "
                + cluster.name(), advice);
    }

    private ApiServer server(ClusterAccess access, Duration timeout) {
        return new ApiServer(backend.get().connect(access), timeout);
    }

    private Duration timeout() {
        Duration timeout = GoDuration.parse("--request-timeout", requestTimeout);
        return timeout.isZero() ? ENDLESS : timeout;
    }

    /** The namespace that the user named; empty if there is none. */
    public String namedNamespace() {
        return namespace;
    }

    private static String context(FoundKubeconfig found, String named, String option) {
        List<String> known = found.kubeconfig().contexts();
        String names = known.isEmpty() ? "There is none in " + found.file() + "."
                : "There are: " + String.join(", ", known) + ".";
        String wanted = named.isEmpty()
                ? found.kubeconfig().currentContext().orElseThrow(() -> LiveFailure.unusable(
                        "error: the kubeconfig has no current context", "Name one with " + option + ". " + names))
                : named;
        if (!known.contains(wanted)) {
            throw LiveFailure.unusable(
                    "Error in configuration: context was not found for specified context: " + wanted, names);
        }
        return wanted;
    }

    private static String version() {
        return Optional.ofNullable(ClusterOptions.class.getPackage().getImplementationVersion()).orElse("unreleased")
                + " (official; cli)";
    }
}
