package io.nodeward.controller.machinepool;

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
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.rules.taint.Initialization;
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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster with one Cluster and a MachinePool, its workload cluster, and the controller between them. */
abstract class PoolFixture {
    /** The group of a kind {@code SomeMachinePool}. */
    static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";

    private static final ObjectMapper MAPPER = new ObjectMapper();

    final Quiet quiet = new Quiet();
    final MachinePoolConfig config = new MachinePoolConfig();
    FakeApiServer management;
    FakeApiServer workload;
    private Part part;
    private Injector injector;

    @BeforeEach
    void startServers() {
        management = quiet.start(Options.defaults()
                .withKind(Kind.custom(INFRASTRUCTURE, List.of("v1beta2"), "somemachinepools", "SomeMachinePool")));
        workload = quiet.start(Options.defaults());
        management.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        management.create("clusters", object("c", "'spec':{}"));
        ObjectNode secret = object("c-kubeconfig", "'type':'cluster.x-k8s.io/secret','stringData':{}");
        ((ObjectNode) secret.at("/metadata")).putObject("labels").put("cluster.x-k8s.io/cluster-name", "c");
        ((ObjectNode) secret.at("/stringData")).put("value", workload.kubeconfig());
        management.create("secrets", secret);
    }

    /** A pool of as many Nodes: {@code POOL-0} and so on. */
    void pool(String name, int nodes, String... taints) {
        ArrayNode ids = MAPPER.createArrayNode();
        IntStream.range(0, nodes).forEach(i -> {
            node(name + "-" + i);
            ids.add("fake://" + name + "-" + i);
        });
        ObjectNode pool = object(name, "'spec':{'clusterName':'c','template':{'spec':{}}}");
        ((ObjectNode) pool.at("/spec")).set("providerIDList", ids);
        ((ObjectNode) pool.at("/spec/template/spec")).set("taints", declared(taints));
        management.create("machinepools", pool);
    }

    void node(String name, String... taints) {
        ObjectNode node = json("{'metadata':{'name':'" + name + "'},'spec':{'providerID':'fake://" + name + "'}}");
        ((ObjectNode) node.at("/spec")).set("taints", taints(taints));
        workload.create("nodes", node);
    }

    void declare(String pool, String... taints) {
        ObjectNode patch = json("{'spec':{'template':{'spec':{}}}}");
        ((ObjectNode) patch.at("/spec/template/spec")).set("taints", declared(taints));
        management.mergePatch("machinepools", "fleet", pool, patch);
    }

    /** The pool's machines are these. */
    void list(String pool, String... providerIds) {
        ObjectNode patch = json("{'spec':{}}");
        ArrayNode ids = ((ObjectNode) patch.at("/spec")).putArray("providerIDList");
        Stream.of(providerIds).forEach(ids::add);
        management.mergePatch("machinepools", "fleet", pool, patch);
    }

    /** Of the first Nodes of pool p. */
    static String[] ids(int count) {
        return IntStream.range(0, count).mapToObj(i -> "fake://p-" + i).toArray(String[]::new);
    }

    /** Somebody writes the whole list. */
    void setTaints(String node, String... taints) {
        ObjectNode patch = json("{'spec':{}}");
        ((ObjectNode) patch.at("/spec")).set("taints", taints(taints));
        workload.mergePatch("nodes", "", node, patch);
    }

    void start() {
        part = quiet.part();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicBoolean started = new AtomicBoolean();
        RuntimeConfig runtime =
                new RuntimeConfig(part.over(new Fabric8Backend()), management.kubeconfig(), Optional.empty(),
                        ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)), "", List.of(""),
                        false, Optional.empty(), Optional.empty(), "test");
        injector = Guice.createInjector(
                Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(registry),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                new MachinePoolModule(config, true, Initialization.WHEN_UNTRACKED, NoExecuteLimit.Settings.NONE));
        part.queues(
                () -> (long) registry.find("workqueue.adds").counters().stream().mapToDouble(Counter::count).sum(),
                () -> registry.find("workqueue.work.duration").timers().stream().mapToLong(Timer::count).sum())
                .requires("controllers are started", started::get)
                .requires("Events are written", injector.getInstance(EventRecorder.class)::isIdle)
                .requires("no probe is on its way", injector.getInstance(ClusterCache.class)::isIdle);
        ManagementCluster cluster = injector.getInstance(ManagementCluster.class);
        cluster.whenSynced(() -> {
            controllers().forEach(Controller::start);
            injector.getInstance(ClusterCache.class).start();
            started.set(true);
        });
        cluster.start();
    }

    /** Starts the controller and waits until every Node is tracked; then forgets the requests so far. */
    void startConverged() {
        start();
        settle();
        assertThat(workload.list("nodes"))
                .allMatch(node -> node.at("/metadata/annotations").has("cluster.x-k8s.io/taints-from-machine"));
        management.clearRequests();
        workload.clearRequests();
    }

    /** Waits until the controller has seen all that was done, and whatever it makes of it: a request too many too. */
    void settle() {
        quiet.await();
    }

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        if (injector != null) {
            stop();
        }
        management.close();
        workload.close();
    }

    /** Ends the controller and starts another one, which knows nothing of what was. */
    void restart() throws InterruptedException {
        stop();
        start();
    }

    private void stop() throws InterruptedException {
        part.close();
        for (Controller controller : controllers()) {
            controller.stop(Duration.ofSeconds(20));
        }
        injector.getInstance(ClusterCache.class).close();
        injector.getInstance(EventRecorder.class).close();
        injector.getInstance(ManagementCluster.class).close();
        injector.getInstance(Timers.class).close();
    }

    List<String> taintsOf(String node) {
        JsonNode taints = workload.get("nodes", "", node).orElseThrow().at("/spec/taints");
        return StreamSupport.stream(taints.spliterator(), false)
                .map(t -> t.path("key").asText() + "=" + t.path("value").asText() + ":" + t.path("effect").asText())
                .toList();
    }

    void awaitTaints(String node, String... taints) {
        await().until(() -> taintsOf(node).equals(List.of(taints)));
    }

    /**
     * Returns what was asked of the workload cluster besides watches, whether it is there, and whether a backup was restored, which
     * a watch asks after a cut.
     */
    List<Request> requests() {
        return workload.requests().stream()
                .filter(r -> !r.query().contains("watch=true") && !r.query().contains("limit=1")
                        && !r.path().equals("/version"))
                .toList();
    }

    private static JsonNode declared(String... taints) {
        JsonNode all = taints(taints);
        all.forEach(taint -> ((ObjectNode) taint).put("propagation", taint.path("propagation").asText("Always")));
        return all;
    }

    private static JsonNode taints(String... taints) {
        ArrayNode array = MAPPER.createArrayNode();
        for (String taint : taints) {
            String[] parts = taint.split("[=:]");
            ObjectNode json = array.addObject().put("key", parts[0]).put("value", parts[1]).put("effect", parts[2]);
            if (parts.length > 3) {
                json.put("propagation", parts[3]);
            }
        }
        return array.isEmpty() ? MAPPER.nullNode() : array;
    }

    static ObjectNode object(String name, String rest) {
        return json("{'metadata':{'namespace':'fleet','name':'" + name + "'}," + rest + "}");
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
