package io.nodeward.core.runtime.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.controller.ControllerBuilder;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.SteppedLoop;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A controller of a kind of its own, on the test's thread and in its time: it sees an object when the test wants it, and
 * writes to a server. The version is one in which Cluster API keeps conditions elsewhere.
 */
abstract class ReadyFixture {
    static final String QUOTAS = "quotas";
    static final Duration AFTER = Duration.ofSeconds(30);
    private static final CustomResourceDefinition DEFINITION =
            new CustomResourceDefinition("example.com", "v1beta1", "Quota", QUOTAS, false);
    private static final Projection<CustomResource<String>> PROJECTION =
            Projection.customResource(Shape.of(List.of(List.of("text"))), spec -> spec.at("text").string());
    private static final ObjectKey KEY = ObjectKey.clusterScoped("q");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final FakeApiServer server = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("example.com", List.of("v1beta1"), QUOTAS, "Quota").clusterScoped()
                    .withPlaces("status.conditions[type]")));
    final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer api = new ConnectionFactory(new Fabric8Backend(), ClusterSettings.DEFAULT, timers,
            new SimpleMeterRegistry(), "test", WritePause.NEVER, Leadership.UNCONTESTED)
            .management(server.kubeconfig(), Optional.empty());
    private ObjectCache<CustomResource<String>> cache = new ObjectCache<>();
    private ReconcileLoop<ObjectKey> loop;
    private SteppedLoop steps;

    int decisions;
    /** Whatever the spec says. */
    boolean blocked;
    Blocked blockedBy = new Blocked("Bad", "too bad");
    String waitingFor = "";
    /** What the status has besides the condition. */
    StatusParts parts = StatusParts.NONE;
    /** What it is to show of them. */
    Optional<StatusDetails> details = Optional.empty();
    /** What is to be written, if not the status alone. */
    Optional<ObjectChange> change = Optional.empty();
    ObjectWriter writer = (change, manager, again) -> {
        throw new AssertionError("no object is to be changed: " + change);
    };

    @BeforeEach
    void start() {
        start(true);
    }

    @AfterEach
    void stop() {
        api.close();
        timers.close();
        server.close();
    }

    void start(boolean writes) {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ControllerContext context = new ControllerContext(
                (change, manager, again) -> writer.apply(change, manager, again),
                new Conditions(api, AFTER, time, time::nanoTime, writes),
                new EventRecorder(api, time, timers, false, registry), time, timers, registry, "", false);
        cache = new ObjectCache<>();
        loop = ControllerBuilder.of("quota", this::decide, context.readyStatus(DEFINITION, "quota", parts), context)
                .watches(cache, MapFunction::declared).build();
        steps = new SteppedLoop(loop);
    }

    private Decision decide(ObjectKey key) {
        decisions++;
        return cache.get(key).<Decision>map(object -> {
            Target bare = Target.of(DEFINITION, object);
            Target target = details.map(bare::with).orElse(bare);
            if (!waitingFor.isEmpty()) {
                return new Decision.Waiting(waitingFor, Optional.of(target));
            }
            if (change.isPresent()) {
                return new Decision.Change(target, change.get(), object.spec(), List.of(), Optional.empty());
            }
            return blocked || object.spec().equals("bad")
                    ? new Decision.Blocked(target, blockedBy, true)
                    : new Decision.InEffect(target, List.of());
        }).orElseGet(() -> new Decision.Gone("it does not exist"));
    }

    /** Another process, which sees what there is. */
    void restart() {
        start(true);
        see();
    }

    /** Creates the object or changes its spec; the controller sees it. */
    void declare(String text) {
        String spec = "{'spec':{'text':'" + text + "'}}";
        if (server.get(QUOTAS, "", "q").isEmpty()) {
            server.create(QUOTAS, json("{'metadata':{'name':'q'},'spec':{'text':'" + text + "'}}"));
            see();
        } else {
            change(spec);
        }
    }

    void change(String patch) {
        server.mergePatch(QUOTAS, "", "q", json(patch));
        see();
    }

    /** What the server holds, as a watch would bring it. */
    void see() {
        try {
            cache.put(PROJECTION.read(MAPPER.writeValueAsBytes(stored())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whatever is to be done now. */
    void work() {
        boolean more = true;
        while (more) {
            more = steps.runOnce();
        }
    }

    /** Something else has changed that the decision depends on. */
    void decide() {
        loop.queue().add(KEY);
        work();
    }

    List<Request> patches() {
        return server.requests().stream().filter(request -> !request.method().equals("GET")).toList();
    }

    JsonNode ready() {
        return condition("Ready").orElseThrow();
    }

    Optional<JsonNode> condition(String type) {
        return stored().at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(type)).findFirst();
    }

    /** As kubectl decides it of {@code --for=condition=Ready=STATUS}. */
    boolean kubectlWaitsFor(String status) {
        JsonNode ready = ready();
        return ready.path("observedGeneration").asInt() < stored().at("/metadata/generation").asInt()
                || !ready.path("status").asText().equals(status);
    }

    JsonNode stored() {
        return server.get(QUOTAS, "", "q").orElseThrow();
    }

    /** JSON with single quotes. */
    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
