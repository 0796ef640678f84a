package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.RuntimeConfig;
import io.nodeward.core.runtime.RuntimeModule;
import io.nodeward.core.runtime.cluster.ClusterCache;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.quiet.Part;
import io.nodeward.core.testkit.quiet.Quiet;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster with one Cluster and node groups, and the controller that advertises them to the autoscaler. */
abstract class AdapterFixture {
    static final String TAINTS = CapacityAnnotations.TAINTS;
    static final String TRACKING = CapacityAnnotations.TAINTS_TRACKING;
    static final String DEPLOYMENTS = "machinedeployments";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String GROUP = "cluster.x-k8s.io";
    private static final String SIZES = "'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size':'0',"
            + "'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size':'3'";

    final Quiet quiet = new Quiet();
    final AdapterConfig config = new AdapterConfig();
    boolean dryRun;
    String watchFilter = "";
    boolean poolTaints = true;
    FakeApiServer management;
    private Part part;
    private Injector injector;

    @BeforeEach
    void startServer() {
        management = quiet.start(served());
        management.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        management.create("clusters", json("{'metadata':{'namespace':'fleet','name':'c'},'spec':{}}"));
    }

    Options served() {
        return Options.defaults()
                .withKind(kind(DEPLOYMENTS, "MachineDeployment"))
                .withKind(kind("machinesets", "MachineSet"))
                .withKind(Kind.custom("infrastructure.cluster.x-k8s.io", List.of("v1beta2"), "somepools", "SomePool"));
    }

    static Kind kind(String plural, String name) {
        return Kind.custom(GROUP, List.of("v1beta2", "v1beta1"), plural, name)
                .withPlaces("spec.template.metadata.labels<string>", "spec.template.metadata.annotations<string>",
                        "spec.template.spec.taints[key,effect]", "status.conditions[type]");
    }

    /** A node group with these taints, {@code key=value:effect}. */
    void group(String plural, String name, String... taints) {
        ObjectNode group = json("{'metadata':{'namespace':'fleet','name':'" + name + "','annotations':{" + SIZES + "}},"
                + "'spec':{'clusterName':'c','template':{'metadata':{},'spec':{}}}}");
        ((ObjectNode) group.at("/spec/template/spec")).set("taints", declared(taints));
        management.create(plural, group);
    }

    void declare(String plural, String name, String... taints) {
        ObjectNode patch = json("{'spec':{'template':{'spec':{}}}}");
        ((ObjectNode) patch.at("/spec/template/spec")).set("taints", declared(taints));
        management.mergePatch(plural, "fleet", name, patch);
    }

    /** As {@code kubectl annotate} does it. */
    void annotate(String plural, String name, String annotation, String text) {
        ObjectNode patch = json("{'metadata':{'annotations':{}}}");
        ((ObjectNode) patch.at("/metadata/annotations")).put(annotation, text);
        management.mergePatch(plural, "fleet", name, patch);
    }

    /** As another manager does that owns the annotation. */
    void applyAs(String manager, String name, String text) {
        ObjectNode object = json("{'apiVersion':'cluster.x-k8s.io/v1beta2','kind':'MachineDeployment','metadata':"
                + "{'namespace':'fleet','name':'" + name + "','annotations':{}}}");
        ((ObjectNode) object.at("/metadata/annotations")).put(TAINTS, text);
        injector.getInstance(ManagementCluster.class).server().patch(
                new Resource(GROUP, "v1beta2", DEPLOYMENTS, true), new ObjectKey("fleet", name),
                Patch.apply(object.toString().getBytes(StandardCharsets.UTF_8), manager, true));
    }

    void start() {
        part = quiet.part();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicBoolean started = new AtomicBoolean();
        RuntimeConfig runtime =
                new RuntimeConfig(part.over(new Fabric8Backend()), management.kubeconfig(), Optional.empty(),
                        ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)), watchFilter,
                        List.of(""), dryRun, Optional.empty(), Optional.empty(), "test");
        injector = Guice.createInjector(
                Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(registry),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                new AdapterModule(config, true, poolTaints, List.of(), false));
        part.queues(
                () -> (long) registry.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> registry.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum())
                .requires("controllers are started", started::get)
                .requires("Events are written", injector.getInstance(EventRecorder.class)::isIdle)
                .requires("no probe is on its way", injector.getInstance(ClusterCache.class)::isIdle);
        ManagementCluster cluster = injector.getInstance(ManagementCluster.class);
        cluster.whenSynced(() -> {
            controllers().forEach(Controller::start);
            started.set(true);
        });
        cluster.start();
    }

    double gauge(String name) {
        return injector.getInstance(MeterRegistry.class).get(name).gauge().value();
    }

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        stopController();
        management.close();
    }

    void stopController() throws InterruptedException {
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

    /** Waits until the controller has seen all that was done, and whatever it makes of it: a request too many too. */
    void settle() {
        quiet.await();
    }

    /** Null if it is not there. */
    String annotation(String plural, String name, String annotation) {
        JsonNode text = management.get(plural, "fleet", name).orElseThrow().at("/metadata/annotations").get(annotation);
        return text == null ? null : text.asText();
    }

    void awaitText(String plural, String name, String text) {
        await()
                .untilAsserted(() -> assertThat(annotation(plural, name, TAINTS)).isEqualTo(text));
    }

    /** Writes by the controller. */
    List<Request> writes() {
        return management.requests().stream()
                .filter(request -> request.method().equals("PATCH")
                        && request.query().contains("fieldManager=nodeward-autoscaler"))
                .toList();
    }

    private static JsonNode declared(String... taints) {
        ArrayNode array = MAPPER.createArrayNode();
        for (String taint : taints) {
            String[] parts = taint.split("[=:]");
            array.addObject().put("key", parts[0]).put("value", parts[1]).put("effect", parts[2])
                    .put("propagation", parts.length > 3 ? parts[3] : "Always");
        }
        return array.isEmpty() ? MAPPER.nullNode() : array;
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
