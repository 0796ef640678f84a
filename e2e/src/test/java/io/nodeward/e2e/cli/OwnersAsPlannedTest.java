package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.nodeward.api.node.Taint;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.cli.plan.ApplyMode;
import io.nodeward.cli.plan.Plan;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.controller.machine.MachineConfig;
import io.nodeward.controller.machine.MachineModule;
import io.nodeward.controller.machinepool.MachinePoolConfig;
import io.nodeward.controller.machinepool.MachinePoolModule;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.toleration.Tolerance;
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
import io.nodeward.e2e.controlplane.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whose a Node is, the command and the controllers decide alike: it from files, they from caches. Each owner declares a
 * taint of its own, so who gave a Node its taints is seen on it.
 */
class OwnersAsPlannedTest {
    private static final int STEPS = 30;
    private static final Plan.Settings SETTINGS = new Plan.Settings(
            new Gates(true, Initialization.WHEN_UNTRACKED, Optional.of(true), Optional.of(false)), Tolerance.DEFAULT,
            new Plan.Dedicated(Optional.of(false), PodFeatures.NONE), InstantSource.system());

    private final Quiet quiet = new Quiet();
    private FakeApiServer management;
    private FakeApiServer workload;
    private Part part;
    private Injector injector;

    @BeforeEach
    void startServers() {
        management = quiet.start(Options.defaults());
        workload = quiet.start(Options.defaults());
        management.create("namespaces", Json.tree(Map.of("metadata", Map.of("name", "fleet"))));
        management.create("clusters", Json.tree(Map.of("metadata", Map.of("namespace", "fleet", "name", "c"),
                "spec", Map.of("paused", false))));
        management.create("secrets", Json.tree(Map.of(
                "metadata", Map.of("namespace", "fleet", "name", "c-kubeconfig",
                        "labels", Map.of("cluster.x-k8s.io/cluster-name", "c")),
                "type", "cluster.x-k8s.io/secret", "stringData", Map.of("value", workload.kubeconfig()))));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void the_controllers_do_what_a_plan_says_and_leave_nothing_to_plan(long seed) {
        run(seed);
    }

    @Tag("deep")
    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26})
    void likewise_in_other_fleets(long seed) {
        run(seed);
    }

    private void run(long seed) {
        RandomFleet fleet = new RandomFleet(new Random(seed * 0x9E37_79B9_7F4A_7C15L), management, workload);
        Map<String, Set<String>> told = told(fleet);
        start();
        quiet.await();
        assertThat(owners()).as("fleet %d", seed).isEqualTo(told);
        for (int step = 0; step < STEPS; step++) {
            fleet.change();
            quiet.await();
            assertThat(plan(fleet).impact().nodes()).as("fleet %d, change %d", seed, step).isEmpty();
        }
    }

    private static Plan plan(RandomFleet fleet) {
        return Plan.of(new Snapshot(fleet.documents(), ""), "a server", List.of(), ApplyMode.WHOLE, SETTINGS);
    }

    /** Whose taints each Node gets, says the command. */
    private static Map<String, Set<String>> told(RandomFleet fleet) {
        Map<String, Set<String>> told = new TreeMap<>();
        plan(fleet).impact().nodes().forEach(node -> told.put(node.node(),
                node.taints().added().stream().map(Taint::key).collect(Collectors.toCollection(TreeSet::new))));
        return told;
    }

    /** Whose taints each Node has. */
    private Map<String, Set<String>> owners() {
        Map<String, Set<String>> owners = new TreeMap<>();
        for (JsonNode node : workload.list("nodes")) {
            node.at("/spec/taints").forEach(taint -> owners
                    .computeIfAbsent(node.at("/metadata/name").asText(), name -> new TreeSet<>())
                    .add(taint.path("key").asText()));
        }
        return owners;
    }

    private void start() {
        part = quiet.part();
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        AtomicBoolean started = new AtomicBoolean();
        RuntimeConfig runtime = new RuntimeConfig(part.over(new Fabric8Backend()), management.kubeconfig(),
                Optional.empty(), ClusterSettings.DEFAULT.with(new KubeconfigPolicy(false, AllowedServers.ALL)), "",
                List.of(""), false, Optional.empty(), Optional.empty(), "test");
        injector = Guice.createInjector(
                Stage.PRODUCTION,
                binder -> binder.bind(MeterRegistry.class).toInstance(registry),
                Modules.override(new RuntimeModule(runtime)).with(binder -> {
                    binder.bind(Timers.class).toInstance(new Timers(part.schedule(), part::nanoTime));
                    binder.bind(InstantSource.class).toInstance(part.clock());
                }),
                new MachineModule(new MachineConfig(), true, Initialization.WHEN_UNTRACKED,
                        NoExecuteLimit.Settings.NONE),
                new MachinePoolModule(new MachinePoolConfig(), true, Initialization.WHEN_UNTRACKED,
                        NoExecuteLimit.Settings.NONE));
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

    private Set<Controller> controllers() {
        return injector.getInstance(Key.get(new TypeLiteral<Set<Controller>>() {
        }));
    }

    @AfterEach
    void stopAll() throws InterruptedException {
        if (injector != null) {
            part.close();
            for (Controller controller : controllers()) {
                controller.stop(Duration.ofSeconds(20));
            }
            injector.getInstance(ClusterCache.class).close();
            injector.getInstance(EventRecorder.class).close();
            injector.getInstance(ManagementCluster.class).close();
            injector.getInstance(Timers.class).close();
        }
        management.close();
        workload.close();
    }
}
