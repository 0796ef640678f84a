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
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.Room;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Warnings;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster, and rooms at work in it. */
abstract class AdmissionFixture {
    static final String WEBHOOKS = "validatingwebhookconfigurations";
    static final String POLICIES = "validatingadmissionpolicies";
    static final String BINDINGS = "validatingadmissionpolicybindings";
    static final String NAME = "nodeward-admission";
    static final String SYSTEM = "nodeward-system";
    static final String LABELS = "'labels':{'app.kubernetes.io/managed-by':'nodeward','nodeward.io/room':'admission',"
            + "'nodeward.io/watch-filter':''}";
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final MeterRegistry meters = new SimpleMeterRegistry();
    FakeApiServer management;
    private final List<Injector> running = new ArrayList<>();

    @BeforeEach
    void startServer() {
        management = FakeApiServer.start(Options.defaults()
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
        config.service = CalledAt.parse("https://127.0.0.1:" + config.address.getPort());
        return config;
    }

    void start(AdmissionConfig config) {
        start(config, true, "", false);
    }

    void start(AdmissionConfig config, boolean propagates, String watchFilter, boolean observe) {
        start(new AdmissionModule(config, propagates, watchFilter, observe), watchFilter, observe);
    }

    /** @return its end */
    Runnable start(Module room, String watchFilter, boolean observe) {
        RuntimeConfig runtime = new RuntimeConfig(new Fabric8Backend(), management.kubeconfig(), Optional.empty(),
                ClusterSettings.DEFAULT, watchFilter, observe, "test");
        Injector injector = Guice.createInjector(Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(meters), new RuntimeModule(runtime), room);
        running.add(injector);
        ManagementCluster cluster = injector.getInstance(ManagementCluster.class);
        cluster.whenSynced(() -> rooms(injector).forEach(Room::start));
        cluster.start();
        return () -> stop(injector);
    }

    /** The management cluster, as this room asks it; the room itself is started too. */
    ApiServer server(Module room) {
        start(room, "", false);
        return running.getLast().getInstance(ManagementCluster.class).server();
    }

    private static Set<Room> rooms(Injector injector) {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Room>>() {
        }));
    }

    @AfterEach
    void stopAll() {
        running.forEach(injector -> rooms(injector).forEach(Room::retire)); // so that all give notice at the same time
        List.copyOf(running).forEach(this::stop);
        management.close();
    }

    private void stop(Injector injector) {
        if (!running.remove(injector)) {
            return;
        }
        try {
            for (Room room : rooms(injector)) {
                room.stop(Duration.ofSeconds(20));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        injector.getInstance(Warnings.class).close();
        injector.getInstance(ManagementCluster.class).close();
        injector.getInstance(Timers.class).close();
    }

    static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(40));
    }

    /** Waits for what the room makes, and gives it. */
    JsonNode made(String resource, String name) {
        String namespace = resource.equals("secrets") ? SYSTEM : "";
        soon().until(() -> management.get(resource, namespace, name).isPresent());
        return management.get(resource, namespace, name).orElseThrow();
    }

    /** Long enough for a request too many to be seen. */
    static void settle() throws InterruptedException {
        Thread.sleep(500);
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
