package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A management cluster, a workload cluster, and what connects them. */
abstract class ClustersFixture {
    static final ObjectKey C = new ObjectKey("fleet", "c");

    /** Generous: only what will never come is waited for so long. */
    static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Duration POLL = Duration.ofMillis(3);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    final List<String> told = new CopyOnWriteArrayList<>();
    final List<String> available = new CopyOnWriteArrayList<>();
    ClusterSettings settings = ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL));
    private final List<AutoCloseable> running = new ArrayList<>();
    /** Passes while a test waits, see {@link #until}. */
    ManualTime time;
    CountedBackend backend;
    FakeApiServer management;
    FakeApiServer workload;
    ManagementCluster cluster;
    ClusterCache workloads;
    /** The scheduler of the timers, which a test may replace. */
    UnaryOperator<ScheduledExecutorService> scheduler = UnaryOperator.identity();
    /** What controllers would do. */
    Consumer<ManagementCluster> beforeStart = management -> {};

    @BeforeEach
    void startServers() {
        management = server();
        workload = server();
        management.create("namespaces", json("{'metadata':{'name':'fleet'}}"));
        workload.create("nodes", json("{'metadata':{'name':'n'}}"));
    }

    FakeApiServer server() {
        FakeApiServer server = FakeApiServer.start(Options.defaults().withBookmarkEvery(Duration.ofMillis(50)));
        running.add(server);
        return server;
    }

    @AfterEach
    void stopServers() throws Exception {
        stop();
        for (AutoCloseable server : running) {
            server.close();
        }
    }

    /** As the controller starts: workload clusters are connected when the management cluster has been seen. */
    void start() {
        time = new ManualTime();
        backend = new CountedBackend(new Fabric8Backend(), time);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Timers timers = new Timers(scheduler.apply(time), time::nanoTime);
        ConnectionFactory connections =
                new ConnectionFactory(backend, settings, timers, registry, "test", WritePause.NEVER,
                        Leadership.UNCONTESTED);
        cluster = new ManagementCluster(connections.management(management.kubeconfig(), Optional.empty()), "", timers);
        cluster.machines(); // the machine controller asks for them
        beforeStart.accept(cluster);
        EventRecorder warnings = new EventRecorder(cluster.server(), time, timers, true, registry);
        Conditions conditions =
                new Conditions(cluster.server(), settings.blockedAfter(), time, time::nanoTime, true);
        workloads = new ClusterCache(cluster, connections, warnings, conditions, timers, registry);
        workloads.subscribe(new WorkloadListener<>() {
            @Override
            public void changed(ObjectKey key, Node before, Node after) {
                told.add(key.name() + "/" + (after != null ? after : before).key().name()
                        + (after == null ? " gone" : ""));
            }

            @Override
            public void available(ObjectKey key) {
                workloads.find(key).orElseThrow().nodes().all()
                        .forEach(node -> told.add(key.name() + "/" + node.key().name()));
                available.add(key.name());
            }
        });
        cluster.whenSynced(workloads::start);
        cluster.start();
        running.add(0, timers);
        running.add(0, cluster);
        running.add(0, warnings);
        running.add(0, workloads);
    }

    /** Stops everything but the servers. */
    void stop() throws Exception {
        for (AutoCloseable part : List.copyOf(running)) {
            if (!(part instanceof FakeApiServer)) {
                part.close();
                running.remove(part);
            }
        }
    }

    void startSynced() {
        start();
        until(() -> cluster.unsynced().isEmpty());
    }

    /** Waits for it and lets time pass meanwhile, but not while something real has to come first. */
    void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> {
            boolean met = condition.call();
            if (!met) {
                passWait();
            }
            return met;
        });
    }

    /** As {@link #until}. */
    void untilAsserted(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(POLL).untilAsserted(() -> {
            try {
                assertion.run();
            } catch (AssertionError notYet) {
                passWait();
                throw notYet;
            }
        });
    }

    /** A probe that has not sent its request, and a Cluster that is in hand, come first: the backend sees neither. */
    private void passWait() {
        if (workloads.isIdle()) {
            backend.passWait();
        }
    }

    void createCluster(String name) {
        management.create("clusters", json("{'metadata':{'namespace':'fleet','name':'" + name + "'},'spec':{}}"));
    }

    void createSecret(String name, String kubeconfig) {
        management.create("secrets", secret(name, kubeconfig, json("{}")));
    }

    /** @param other type and parts of the metadata that are not as they should be */
    static ObjectNode secret(String name, String kubeconfig, ObjectNode other) {
        ObjectNode secret = json("{'type':'cluster.x-k8s.io/secret','metadata':{'namespace':'fleet','name':'" + name
                + "-kubeconfig','labels':{'cluster.x-k8s.io/cluster-name':'" + name + "'}},'stringData':{}}");
        ((ObjectNode) secret.at("/stringData")).put("value", kubeconfig);
        if (other.has("type")) {
            secret.set("type", other.get("type"));
        }
        if (other.has("metadata")) {
            ((ObjectNode) secret.at("/metadata")).setAll((ObjectNode) other.get("metadata"));
        }
        return secret;
    }

    void changeSecret(String name, String kubeconfig) {
        ObjectNode patch = json("{'stringData':{}}");
        ((ObjectNode) patch.at("/stringData")).put("value", kubeconfig);
        management.mergePatch("secrets", "fleet", name + "-kubeconfig", patch);
    }

    void awaitConnected(String name) {
        until(() -> workloads.find(new ObjectKey("fleet", name)).isPresent());
    }

    void awaitOpenWatches(FakeApiServer server, int count) {
        untilAsserted(() -> assertThat(server.openWatches()).isEqualTo(count));
    }

    long secretReads() {
        return management.requests().stream()
                .filter(r -> r.path().endsWith("-kubeconfig") && r.method().equals("GET"))
                .count();
    }

    JsonNode awaitBlocked(String cluster) {
        until(() -> !blocked(cluster).isEmpty());
        return blocked(cluster).getFirst();
    }

    List<JsonNode> blocked(String cluster) {
        JsonNode conditions = management.get("clusters", "fleet", cluster).orElseThrow().at("/status/conditions");
        return StreamSupport.stream(conditions.spliterator(), false)
                .filter(c -> c.path("type").asText().equals("nodeward.io/Blocked"))
                .toList();
    }

    List<JsonNode> events() {
        return management.list("events");
    }

    List<Request> eventWrites() {
        return management.requests().stream().filter(r -> r.method().equals("POST") && r.path().endsWith("/events"))
                .toList();
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
