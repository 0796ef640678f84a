package io.nodeward.core.runtime.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.UnaskedServer;
import io.nodeward.core.testkit.quiet.Part;
import io.nodeward.core.testkit.quiet.Quiet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A server with all kinds of admissionregistration.k8s.io, and a component called test. */
abstract class WebhookFixture {
    static final String NAME = "nodeward-test";
    static final String SYSTEM = "nodeward-system";
    /** The request of a review. */
    static final String POD = """
            {'uid':'u','kind':{'group':'','version':'v1','kind':'Pod'},
             'resource':{'group':'','version':'v1','resource':'pods'},'namespace':'n','name':'p',
             'operation':'CREATE','userInfo':{'username':'jane','groups':['tenants']},
             'object':{'metadata':{'name':'p'},'spec':{}},'oldObject':null}""";
    static final ManagedObjects OBJECTS = reachedAt("https://127.0.0.1");
    static final List<Map<String, Object>> PODS = List.of(Map.of("apiGroups", List.of(""), "apiVersions",
            List.of("v1"), "operations", List.of("CREATE"), "resources", List.of("pods")));
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final Quiet quiet = new Quiet();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    FakeApiServer server;
    /** The nanoseconds of the component that was started last. */
    LongSupplier clock = () -> 0;
    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    /** The leadership of the process that was started last. */
    private Leadership leadership = Leadership.UNCONTESTED;

    @BeforeEach
    void startServer() {
        Options options = Options.defaults();
        for (String phase : List.of("Mutating", "Validating")) {
            options = options.withKind(kind(phase + "WebhookConfiguration").withPlaces("webhooks[name]",
                    "webhooks.rules[]", "webhooks.admissionReviewVersions[]"))
                    .withKind(kind(phase + "AdmissionPolicy").withPlaces("spec.validations[]", "spec.mutations[]",
                            "spec.paramKind!", "spec.matchConstraints!"))
                    .withKind(kind(phase + "AdmissionPolicyBinding").withPlaces("spec.validationActions[=]",
                            "spec.paramRef!"));
        }
        server = quiet.start(options);
        server.create("namespaces", json("{'metadata':{'name':'nodeward-system'}}"));
    }

    private static Kind kind(String name) {
        String plural = name.toLowerCase(java.util.Locale.ROOT).replaceFirst("y$", "ie") + "s";
        return Kind.custom(GROUP, List.of("v1"), plural, name).clusterScoped().withStatus(false);
    }

    /** As a process does that looks after all objects. */
    Controller start(AdmissionRegistration registration) {
        return start(registration, (timers, registry) -> Leadership.UNCONTESTED);
    }

    /** As a process does that never leads. */
    Controller standBy(AdmissionRegistration registration) {
        return start(registration, (timers, registry) -> Leadership.by(new ObjectKey(SYSTEM, "test"),
                new UnaskedServer(), "test", timers, InstantSource.system(), registry));
    }

    /** Starts a process that does not lead before {@link #lead}. */
    Controller contend(AdmissionRegistration registration) {
        return start(registration, (timers, registry) -> Leadership.by(new ObjectKey(SYSTEM, "test"),
                ConnectionFactory.lease(
                        new Fabric8Backend(), server.kubeconfig(), Optional.empty(), "test", timers, registry),
                "test", timers, InstantSource.system(), registry));
    }

    /** The process that was started last takes the Lease. */
    void lead() {
        leadership.start();
    }

    private Controller start(
            AdmissionRegistration registration, BiFunction<Timers, MeterRegistry, Leadership> by) {
        Part part = quiet.part();
        clock = part::nanoTime;
        Timers timers = new Timers(part.schedule(), part::nanoTime);
        Leadership own = by.apply(timers, new SimpleMeterRegistry());
        leadership = own;
        ConnectionFactory connections = new ConnectionFactory(
                part.over(new Fabric8Backend()), ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(), "test",
                WritePause.NEVER, own);
        ApiServer api = connections.management(server.kubeconfig(), Optional.empty());
        Controller controller =
                new WebhookController(registration, new HomeCluster(api, timers), context(api, timers, part));
        part.queues(
                () -> (long) meters.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> meters.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum());
        controller.start();
        running.push(() -> {
            part.close();
            controller.stop(Duration.ofSeconds(20));
            own.close();
            api.close();
            timers.close();
        });
        return controller;
    }

    private ControllerContext context(ApiServer api, Timers timers, Part part) {
        return new ControllerContext((change, manager, again) -> {
            throw new AssertionError("it decides on no change: " + change);
        }, new Conditions(api, Duration.ofSeconds(30), part.clock(), timers::nanoTime, true),
                new EventRecorder(api, part.clock(), timers, false, meters), part.clock(), timers, meters, "", false);
    }

    @AfterEach
    void stopAll() throws Exception {
        stop();
        server.close();
    }

    void stop() throws Exception {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    static ManagedObjects reachedAt(String where) {
        return new ManagedObjects("test", "", Set.of(AdmissionPhase.MUTATING, AdmissionPhase.VALIDATING),
                WebhookClientConfig.parse(where));
    }

    /** On a free port of this machine. */
    static ServingOptions serving() {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = free.getLocalPort();
            return new ServingOptions(new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                    WebhookClientConfig.parse("https://127.0.0.1:" + port), Optional.empty());
        } catch (IOException e) {
            throw new IllegalStateException("no free port on loopback", e);
        }
    }

    static Webhook webhook(AdmissionPhase phase, String path, AdmissionHandler handler) {
        return new Webhook(phase, path.substring(1) + ".test.nodeward.io", path, Shape.WHOLE, handler,
                Map.of("rules", PODS, "failurePolicy", "Fail"));
    }

    static Webhook allowing(AdmissionPhase phase, String path) {
        return webhook(phase, path, request -> AdmissionResponse.allowed());
    }

    /** Waits for what the component makes, and gives it. */
    JsonNode made(String resource, String name) {
        quiet.passUntil(() -> server.get(resource, "", name).isPresent());
        return server.get(resource, "", name).orElseThrow();
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
