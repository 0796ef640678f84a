package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpsConfigurator;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code nodeward controller}: propagates taints, labels and annotations until it is stopped. */
@Command(name = "nodeward controller", versionProvider = Version.class, sortOptions = false, description = "Carries taints, labels and annotations from Cluster API Machines to their Nodes.")
public final class ControllerCommand implements Callable<Integer> {
    static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Management cluster (default: $KUBECONFIG, in-cluster, ~/.kube/config)")
    @Nullable
    Path kubeconfig;

    @Option(names = "--backend", paramLabel = "NAME", defaultValue = "fabric8", description = "Client library to use (default: ${DEFAULT-VALUE})")
    String backend = "fabric8";

    @Option(names = "--health-address", paramLabel = "HOST:PORT", defaultValue = ":9440", description = "Serves /healthz and /readyz; port 0 takes a free one (default: ${DEFAULT-VALUE})")
    String healthAddress = ":9440";

    @Option(names = "--metrics-address", paramLabel = "HOST:PORT", defaultValue = ":9441", description = "Serves /metrics; may be the health address (default: ${DEFAULT-VALUE})")
    String metricsAddress = ":9441";

    @Option(names = "--metrics-secure", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Serves the metrics address over TLS, and /metrics only to users that the API server lets get it")
    boolean metricsSecure;

    @Option(names = "--metrics-cert-dir", paramLabel = "DIRECTORY", description = "With --metrics-secure: tls.crt and tls.key, read again when they change (default: a certificate that the process makes)")
    @Nullable
    Path metricsCertDir;

    @Option(names = "--config", paramLabel = "FILE", description = "YAML file with defaults by long option name, without the dashes")
    @Nullable
    Path config;

    @Option(names = "--feature-gates", paramLabel = "GATE=BOOL", split = ",", description = "Switches features on or off; AllAlpha and AllBeta switch those"
            + " of that stage that are not named themselves:%n"
            + "${bundle:" + HelpLists.FEATURE_GATES + "}")
    Map<String, String> gates = new HashMap<>();

    @Option(names = "--controllers", paramLabel = "NAME", split = ",", defaultValue = ControllerSelection.ALL, description = "Controllers to run, as of kube-controller-manager: NAME runs one, -NAME does not, * runs all that are"
            + " not named and whose feature gates are on; the first that names a controller decides"
            + " (default: ${DEFAULT-VALUE}):%n"
            + "${bundle:" + HelpLists.CONTROLLERS + "}")
    List<String> controllers = new ArrayList<>();

    @Option(names = "--initialization", paramLabel = "WHEN", defaultValue = "whenUntracked", description = "Until when a Node gets taints declared OnInitialization:"
            + " whenUntracked, until the first write to it, as Cluster API does;"
            + " whenUninitialized, only while it still has node.cluster.x-k8s.io/uninitialized,"
            + " which control planes never do (default: ${DEFAULT-VALUE})")
    Initialization initialization = Initialization.WHEN_UNTRACKED;

    @Option(names = "--watch-filter", paramLabel = "VALUE", defaultValue = "", description = "Only Clusters and Machines with label cluster.x-k8s.io/watch-filter of this value")
    String watchFilter = "";

    @Option(names = "--namespaces", paramLabel = "NAMESPACE", split = ",", description = "Only objects of Cluster API and kubeconfigs in these namespaces of the management cluster; it needs no right"
            + " to those of others (default: all)")
    List<String> namespaces = new ArrayList<>();

    @Option(names = "--dry-run", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Plan, log and measure, but write nothing")
    boolean dryRun;

    @Option(names = "--cleanup", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Delete the webhooks, admission policies and certificates of the selected controllers, and exit, even during"
            + " a pause. Taints and the rest of what they wrote stay")
    boolean cleanUp;

    @Option(names = "--cleanup-bindings", paramLabel = "BINDING", split = ",", description = "With --cleanup: first delete these RoleBindings, as NAMESPACE/NAME, and ClusterRoleBindings, as NAME, so"
            + " that a controller that still runs cannot register its webhooks again")
    List<String> cleanUpBindings = new ArrayList<>();

    @Option(names = "--pause-configmap", paramLabel = "NAMESPACE/NAME", defaultValue = "nodeward-system/nodeward-pause", description = "ConfigMap that stops all writes while its data have paused: \"true\"; it is read before the first"
            + " write; empty for none (default: ${DEFAULT-VALUE})")
    String pauseConfigMap = "nodeward-system/nodeward-pause";

    @Option(names = "--log-level", paramLabel = "LEVEL", defaultValue = "info", description = "error, warn, info or debug (default: ${DEFAULT-VALUE})")
    String logLevel = "info";

    @Option(names = "--log-format", paramLabel = "FORMAT", defaultValue = "text", description = "text or json (default: ${DEFAULT-VALUE})")
    String logFormat = "text";

    @Option(names = {"--kube-api-qps", "--kube-api-burst", "--clustercache-client-qps",
            "--clustercache-client-burst"}, paramLabel = "N", description = "Accepted from command lines of the Cluster"
                    + " API manager, without effect: no rate is limited here, only requests in flight")
    List<String> rates = new ArrayList<>();

    @Spec
    CommandSpec spec = CommandSpec.create();

    @Mixin
    LeaderElectionOptions leaderElection = new LeaderElectionOptions();

    @Mixin
    ClusterOptions clusters = new ClusterOptions();

    /** The flags of each controller, out of tree or not; {@link Main} adds them to these. */
    final List<Object> configs;

    /** From the program that starts this one. */
    final List<OutOfTreeController> others;

    ControllerCommand(List<OutOfTreeController> others) {
        this.others = List.copyOf(others);
        this.configs = Stream.concat(
                Arrays.stream(KnownController.values()).map(KnownController::newConfig),
                others.stream().map(OutOfTreeController::config)).toList();
    }

    @Override
    public Integer call() throws Exception {
        Logging.configure(logLevel, logFormat);
        if (!rates.isEmpty()) {
            LoggerFactory.getLogger(ControllerCommand.class).info("client rates are given, and have no effect here");
        }
        if (cleanUp) {
            CleanUpRun.of(this);
            return 0;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        try (Nodeward nodeward = Nodeward.start(this)) {
            Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("nodeward-shutdown").unstarted(() -> {
                nodeward.close();
                stopped.countDown();
            }));
            stopped.await();
        }
        return 0;
    }

    /** Returns the flags of one controller. */
    <C> C config(Class<C> type) {
        return configs.stream().filter(type::isInstance).map(type::cast).findFirst().orElseThrow();
    }

    /** Returns whether a flag of this config is on the command line and names the Service at which API servers reach a webhook. */
    boolean namesService(Class<?> config) {
        return spec.commandLine().getParseResult().matchedOptions().stream().anyMatch(
                option -> option.userObject() instanceof Field field && field.getDeclaringClass() == config
                        && option.getValue() instanceof WebhookClientConfig.InCluster);
    }

    /** Returns the ConfigMap that pauses the process; empty if none does. */
    Optional<ObjectKey> pause() {
        String[] parts = pauseConfigMap.split("/", -1);
        if (cleanUp || pauseConfigMap.isEmpty()) {
            return Optional.empty();
        }
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new IllegalArgumentException("--pause-configmap: '" + pauseConfigMap + "' is not NAMESPACE/NAME");
        }
        return Optional.of(new ObjectKey(parts[0], parts[1]));
    }

    /**
     * Returns the namespaces to read; one empty name for all.
     *
     * @throws IllegalArgumentException if there can be no namespace of such a name
     */
    List<String> namespaces() {
        namespaces.stream().filter(name -> !NAMESPACE.matcher(name).matches()).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("--namespaces: '" + name + "' is not the name of a namespace");
        });
        return namespaces.isEmpty() ? List.of("") : namespaces.stream().distinct().toList();
    }

    InetSocketAddress health() {
        return Addresses.parse("--health-address", healthAddress);
    }

    InetSocketAddress metrics() {
        return Addresses.parse("--metrics-address", metricsAddress);
    }

    /**
     * Returns how the metrics address is encrypted, if it is.
     *
     * @throws IOException naming the option, if the certificate cannot be used
     */
    Optional<HttpsConfigurator> metricsTls() throws IOException {
        if (!metricsSecure) {
            return Optional.empty();
        }
        if (metrics().equals(health()) && health().getPort() != 0) {
            throw new IllegalArgumentException("--metrics-secure: --metrics-address has to differ from"
                    + " --health-address, which is not encrypted");
        }
        return Optional
                .of(MetricsTls.of(Optional.ofNullable(metricsCertDir), InstantSource.system(), System::nanoTime));
    }
}
