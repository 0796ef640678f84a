package io.nodeward.controller.topology;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterCache;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.quiet.Part;
import io.nodeward.core.testkit.quiet.Quiet;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster with the Cluster c of ClusterClass k, and the controller; namespace is fleet. */
abstract class TopologyFixture {
    static final Duration PATIENCE = Duration.ofMinutes(2);
    static final Duration BLOCKED_AFTER = Duration.ofSeconds(2);

    final Quiet quiet = new Quiet();
    final TopologyConfig config = new TopologyConfig();
    /** Of the controller that was started last. */
    SimpleMeterRegistry registry;
    boolean topologies = true;
    boolean pools = true;
    boolean dryRun;
    String watchFilter = "";
    FakeApiServer server;
    Objects objects;
    private Part part;
    private Injector injector;

    @BeforeEach
    void startServer() {
        server = quiet.start(Objects.kinds());
        objects = new Objects(server);
    }

    void start() {
        part = quiet.part();
        SimpleMeterRegistry own = new SimpleMeterRegistry();
        AtomicBoolean started = new AtomicBoolean();
        ClusterSettings settings = ClusterSettings.DEFAULT;
        RuntimeConfig runtime =
                new RuntimeConfig(part.over(new Fabric8Backend()), server.kubeconfig(), Optional.empty(),
                        new ClusterSettings(settings.policy(), settings.inFlight(), settings.readsPerSecond(),
                                settings.largestState(), settings.probeEvery(), BLOCKED_AFTER),
                        watchFilter, List.of(""), dryRun, Optional.empty(), Optional.empty(), "test");
        injector = Guice.createInjector(
                Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(own),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                new TopologyModule(config, topologies, pools, watchFilter, NoExecuteLimit.Settings.DEFAULT));
        registry = own;
        part.queues(
                () -> (long) own.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> own.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum())
                .requires("controllers are started", started::get)
                .requires("Events are written", injector.getInstance(EventRecorder.class)::isIdle)
                .requires("no probe is on its way", injector.getInstance(ClusterCache.class)::isIdle);
        ManagementCluster cluster = injector.getInstance(ManagementCluster.class);
        cluster.whenSynced(() -> {
            controllers().forEach(Controller::start);
            started.set(true);
        });
        cluster.start();
        await().atMost(PATIENCE).until(() -> cluster.unsynced().isEmpty());
    }

    /** Starts the controller, waits until it is through, and forgets the requests so far. */
    void startSettled() {
        start();
        settle();
        server.clearRequests();
    }

    /** Waits until the controller has seen all that was done, and whatever it makes of it: a request too many too. */
    void settle() {
        quiet.await();
    }

    /** Lets time pass for the controller, at once, until this is so. */
    void passUntil(Callable<Boolean> isSo) {
        quiet.passUntil(isSo);
    }

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    void stop() throws InterruptedException {
        if (injector != null) {
            part.close();
            for (Controller controller : controllers()) {
                controller.stop(Duration.ofSeconds(20));
            }
            injector.getInstance(ClusterCache.class).close();
            injector.getInstance(EventRecorder.class).close();
            injector.getInstance(ManagementCluster.class).close();
            injector.getInstance(Timers.class).close();
            injector = null;
        }
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        stop();
        server.close();
    }

    /** Of the controller alone: what the test writes itself is left out. */
    List<Request> writes() {
        return server.requests().stream()
                .filter(r -> !r.method().equals("GET") && r.query().contains("fieldManager=nodeward"))
                .toList();
    }

    /** The writes to taints, as {@code machinesets/a}. */
    List<String> propagated() {
        return writes().stream().filter(r -> r.method().equals("PATCH") && !r.path().endsWith("/status"))
                .map(r -> r.path().replaceFirst(".*/namespaces/fleet/", "")).toList();
    }

    void awaitTaints(String resource, String name, String... taints) {
        await(resource + " " + name).atMost(PATIENCE)
                .until(() -> objects.taintsOf(resource, name), List.of(taints)::equals);
    }

    /** Messages of the Warning Events of a reason. */
    List<String> events(String reason) {
        return server.list("events").stream().filter(event -> event.path("reason").asText().equals(reason))
                .map(event -> event.at("/involvedObject/kind").asText() + ": " + event.path("message").asText())
                .toList();
    }

    Optional<JsonNode> condition(String resource, String name) {
        for (JsonNode condition : server.get(resource, "fleet", name).orElseThrow().at("/status/conditions")) {
            if (condition.path("type").asText().equals("nodeward.io/TopologyBlocked")) {
                return Optional.of(condition);
            }
        }
        return Optional.empty();
    }

    static ObjectNode json(String text) {
        return Objects.json(text);
    }
}
