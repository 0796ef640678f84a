package io.nodeward.controller.admission;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.Key;
import com.google.inject.Module;
import com.google.inject.Stage;
import com.google.inject.TypeLiteral;
import com.google.inject.util.Modules;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.runtime.webhook.WebhookClientConfig;
import io.nodeward.core.testkit.quiet.Part;
import io.nodeward.core.testkit.quiet.Quiet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster, and controllers at work in it. */
abstract class AdmissionFixture {
    static final String WEBHOOKS = "validatingwebhookconfigurations";
    static final String POLICIES = "validatingadmissionpolicies";
    static final String BINDINGS = "validatingadmissionpolicybindings";
    static final String NAME = "nodeward-admission";
    static final String SYSTEM = "nodeward-system";
    static final String LABELS =
            "'labels':{'app.kubernetes.io/managed-by':'nodeward','nodeward.io/component':'admission',"
                    + "'nodeward.io/watch-filter':''}";
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final Quiet quiet = new Quiet();
    final MeterRegistry meters = new SimpleMeterRegistry();
    FakeApiServer management;
    private final SequencedMap<Injector, Part> running = new LinkedHashMap<>();

    @BeforeEach
    void startServer() {
        management = quiet.start(Options.defaults()
                .withKind(kind(WEBHOOKS, "ValidatingWebhookConfiguration").withPlaces("webhooks[name]",
                        "webhooks.rules[]", "webhooks.admissionReviewVersions[]", "webhooks.matchConditions[name]"))
                .withKind(kind(POLICIES, "ValidatingAdmissionPolicy").withPlaces("spec.validations[]",
                        "spec.variables[name]", "spec.matchConditions[name]", "spec.matchConstraints!"))
                .withKind(kind(BINDINGS, "ValidatingAdmissionPolicyBinding").withPlaces("spec.validationActions[=]")));
        management.create("namespaces", json("{'metadata':{'name':'nodeward-system'}}"));
    }

    private static Kind kind(String plural, String name) {
        return Kind.custom(GROUP, List.of("v1"), plural, name).clusterScoped().withStatus(false);
    }

    /** A configuration that is called on a free port of this machine. */
    static AdmissionConfig config() {
        AdmissionConfig config = new AdmissionConfig();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            config.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), free.getLocalPort());
        } catch (IOException e) {
            throw new IllegalStateException("no free port on loopback", e);
        }
        config.service = WebhookClientConfig.parse("https://127.0.0.1:" + config.address.getPort());
        return config;
    }

    void start(AdmissionConfig config) {
        start(config, true, "", false);
    }

    void start(AdmissionConfig config, boolean propagates, String watchFilter, boolean dryRun) {
        start(new AdmissionModule(config, propagates, false, false), watchFilter, dryRun);
    }

    /** @return its end */
    Runnable start(Module controller, String watchFilter, boolean dryRun) {
        Part part = quiet.part();
        SimpleMeterRegistry registry = new SimpleMeterRegistry(); // of this controller alone
        AtomicBoolean started = new AtomicBoolean();
        RuntimeConfig runtime =
                new RuntimeConfig(part.over(new Fabric8Backend()), management.kubeconfig(), Optional.empty(),
                        ClusterSettings.DEFAULT, watchFilter, List.of(""), dryRun, Optional.empty(), Optional.empty(),
                        "test");
        Injector injector = Guice.createInjector(Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class)
                        .toInstance(new CompositeMeterRegistry(Clock.SYSTEM, List.of(meters, registry))),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                controller);
        running.put(injector, part);
        part.queues(
                () -> (long) registry.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> registry.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum())
                .requires("controllers are started", started::get)
                .requires("Events are written", injector.getInstance(EventRecorder.class)::isIdle);
        ManagementCluster cluster = injector.getInstance(ManagementCluster.class);
        cluster.clusters(); // Quiet knows by its watches how far a process has come, and a clean-up has none
        cluster.whenSynced(() -> {
            controllers(injector).forEach(Controller::start);
            started.set(true);
        });
        cluster.start();
        return () -> stop(injector);
    }

    private static Set<Controller> controllers(Injector injector) {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    @AfterEach
    void stopAll() {
        running.keySet().forEach(injector -> controllers(injector).forEach(Controller::retire)); // so that all give notice at the same time
        List.copyOf(running.keySet()).forEach(this::stop);
        management.close();
    }

    private void stop(Injector injector) {
        Part part = running.remove(injector);
        if (part == null) {
            return;
        }
        part.close();
        try {
            for (Controller controller : controllers(injector)) {
                controller.stop(Duration.ofSeconds(20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        injector.getInstance(EventRecorder.class).close();
        injector.getInstance(ManagementCluster.class).close();
        injector.getInstance(Timers.class).close();
    }

    static ConditionFactory soon() {
        return await().atMost(Duration.ofMinutes(2));
    }

    /** Waits for what the controller makes, and gives it. */
    JsonNode made(String resource, String name) {
        String namespace = resource.equals("secrets") ? SYSTEM : "";
        quiet.passUntil(() -> management.get(resource, namespace, name).isPresent());
        return management.get(resource, namespace, name).orElseThrow();
    }

    /** Waits until all controllers have seen all that was done, and whatever they make of it: a request too many too. */
    void settle() {
        quiet.await();
    }

    /** Lets time pass for the controllers, at once, until this is so. */
    void passUntil(Callable<Boolean> isSo) {
        quiet.passUntil(isSo);
    }

    List<Request> writes() {
        return management.requests().stream().filter(r -> !r.method().equals("GET")).toList();
    }

    /** JSON with single quotes. */
    static ObjectNode json(String text) {
        try {
            return (ObjectNode) MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
