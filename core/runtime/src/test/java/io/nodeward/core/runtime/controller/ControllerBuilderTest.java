package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.status.OwnerPolicy;
import io.nodeward.core.runtime.status.OwnerStatus;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nothing here runs on a thread of its own: keys are worked on when the test says so. */
class ControllerBuilderTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");
    private static final ObjectWriter NOBODY_WRITES = (change, manager, again) -> {
        throw new AssertionError("nothing is to be written");
    };

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ObjectCache<Node> cache = new ObjectCache<>();
    private final List<WorkloadListener<Node>> listeners = new ArrayList<>();
    private final Consumer<WorkloadListener<Node>> clusters = listeners::add;
    private final List<String> worked = new ArrayList<>();
    private final Set<String> failed = new HashSet<>();

    @AfterEach
    void stop() {
        timers.close();
    }

    @Test
    void an_object_that_was_there_before_the_start_is_worked_on_and_so_is_each_change() {
        cache.put(node("a", "1"));
        ReconcileLoop<String> loop = builder().watches(cache, ControllerBuilderTest::names).build();
        assertThat(loop.runOnce()).as("before the start").isFalse();
        loop.subscribe();
        drain(loop);
        assertThat(worked).containsExactly("a");

        cache.put(node("b", "1"));
        cache.put(node("b", "2"));
        drain(loop);
        assertThat(worked).containsExactly("a", "b");
    }

    @Test
    void a_change_that_concerns_several_keys_adds_each_once() {
        ReconcileLoop<String> loop =
                builder().watches(cache, (before, after) -> new LinkedHashSet<>(List.of("x", "y"))).build();
        loop.subscribe();
        cache.put(node("a", "1"));
        assertThat(registry.get("workqueue.adds").counter().count()).isEqualTo(2);
    }

    @Test
    void a_change_whose_map_function_fails_is_mapped_again_until_it_gives_its_keys() {
        AtomicInteger failing = new AtomicInteger(2);
        ReconcileLoop<String> loop = builder().watches(cache, (before, after) -> {
            if (failing.getAndDecrement() > 0) {
                throw new IllegalStateException("planted");
            }
            return names(before, after);
        }).build();
        loop.subscribe();
        cache.put(node("a", "1"));
        drain(loop);
        assertThat(worked).isEmpty();
        assertThat(mapFailures()).isEqualTo(1);
        passPause();
        assertThat(mapFailures()).isEqualTo(2);
        passPause();
        drain(loop);

        assertThat(worked).containsExactly("a");
        assertThat(mapFailures()).isEqualTo(2);
        assertThat(time.waits()).isEmpty();
    }

    @Test
    void whatever_is_mapped_is_mapped_again_if_that_fails() {
        List<Consumer<String>> news = new ArrayList<>();
        ReconcileLoop<String> loop = builder()
                .watches(clusters, (cluster, before, after) -> failingOnce("node"), cluster -> failingOnce("cluster"))
                .<String>watches(news::add, heard -> failingOnce(heard))
                .<String>watchesAfterASecond(news::add, heard -> failingOnce("counted " + heard))
                .watchesAfterASecond(cache, (before, after) -> failingOnce("counts"))
                .recalls(cache, owner -> failingOnce("recalled"))
                .build();
        loop.subscribe();
        listeners.getFirst().changed(CLUSTER, null, node("a", "1"));
        listeners.getFirst().available(CLUSTER);
        news.forEach(listener -> listener.accept("news"));
        cache.put(node("a", "1"));
        time.pass(Duration.ofSeconds(1));
        time.pass(Duration.ofSeconds(30)); // for what is recalled
        drain(loop);

        assertThat(worked)
                .containsExactlyInAnyOrder("node", "cluster", "news", "counted news", "counts", "recalled");
        assertThat(mapFailures()).isEqualTo(6);
    }

    @Test
    void a_key_that_counts_is_worked_on_once_for_all_that_change_together_and_not_for_what_is_there_already() {
        List<Consumer<String>> news = new ArrayList<>();
        cache.put(node("early", "1"));
        ReconcileLoop<String> loop = builder()
                .watchesAfterASecond(cache, (before, after) -> new LinkedHashSet<>(
                        List.of("all", MapFunction.latest(before, after).key().name())))
                .<String>watchesAfterASecond(news::add, Set::of)
                .build();
        assertThat(loop.reads()).containsExactly(cache);
        loop.subscribe();
        List.of("a", "b").forEach(name -> cache.put(node(name, "1")));
        news.getFirst().accept("all");
        time.pass(Duration.ofMillis(999));
        drain(loop);
        assertThat(worked).isEmpty();
        time.pass(Duration.ofMillis(1));
        drain(loop);
        assertThat(worked).containsExactlyInAnyOrder("all", "a", "b");
    }

    @Test
    void only_so_many_changes_wait_to_be_mapped_again() {
        ReconcileLoop<String> loop = builder().watches(cache, (before, after) -> {
            throw new IllegalStateException("planted");
        }).build();
        loop.subscribe();
        for (int i = 0; i < FailedMappings.MOST + 10; i++) {
            cache.put(node("n" + i, "1"));
        }

        assertThat(time.waits()).hasSize(FailedMappings.MOST);
    }

    private Set<String> failingOnce(String key) {
        if (failed.add(key)) {
            throw new IllegalStateException("planted");
        }
        return Set.of(key);
    }

    private double mapFailures() {
        return registry.get("nodeward.map.failures").tag("controller", "test").counter().count();
    }

    /** The one that somebody waits out. */
    private void passPause() {
        assertThat(time.waits()).hasSize(1);
        time.pass(time.waits().getFirst());
    }

    @Test
    void nodes_of_workload_clusters_and_clusters_that_become_available_add_keys() {
        ReconcileLoop<String> loop = builder().watches(clusters,
                (cluster, before, after) -> Set.of(cluster + " changed"), cluster -> Set.of(cluster + " available"))
                .build();
        loop.subscribe();
        listeners.getFirst().changed(CLUSTER, null, node("a", "1"));
        listeners.getFirst().available(CLUSTER);
        drain(loop);
        assertThat(worked).containsExactly("ns/c changed", "ns/c available");
    }

    @Test
    void workload_clusters_are_asked_for_before_the_start_and_their_nodes_wait_for_it() {
        ReconcileLoop<String> loop = builder()
                .watches(clusters, (cluster, before, after) -> Set.of("node"), cluster -> Set.of()).build();
        assertThat(listeners).hasSize(1);
        listeners.getFirst().changed(CLUSTER, null, node("a", "1"));
        loop.subscribe();
        drain(loop);
        assertThat(worked).containsExactly("node");
    }

    @Test
    void the_start_waits_for_what_is_watched_and_for_what_is_only_read() {
        ObjectCache<Node> read = new ObjectCache<>();
        ReconcileLoop<String> loop =
                builder().watches(cache, ControllerBuilderTest::names).reads(read).build();
        assertThat(loop.reads()).isEqualTo(List.of(cache, read));
    }

    @Test
    void a_watch_of_another_kind_is_stopped_when_the_work_in_hand_is_finished() throws InterruptedException {
        List<String> calls = new ArrayList<>();
        Controller controller = builder().watches(new Watch<>() {
            @Override
            public void start(WorkQueue<String> queue) {
                calls.add("started");
            }

            @Override
            public void stop() {
                calls.add("stopped");
            }
        }).build();
        assertThat(calls).isEmpty();
        controller.start();
        controller.retire();
        assertThat(calls).containsExactly("started");
        assertThat(controller.stop(Duration.ofMinutes(1))).isTrue();
        assertThat(calls).containsExactly("started", "stopped");
    }

    @Test
    void a_decision_is_carried_out_under_the_field_manager_of_the_controller() {
        List<String> managers = new ArrayList<>();
        ControllerContext context = context((change, manager, again) -> {
            managers.add(manager);
            return new Applied.Written();
        });
        Reconciler<ObjectKey> reconciler = key -> ExecutorFixture.change("a");
        StatusReporter<ObjectKey> status = context.ownerStatus(
                OwnerPolicy.atOnce("test", key -> CLUSTER, ObjectKey::name));
        ReconcileLoop<ObjectKey> loop = ControllerBuilder.of("test", reconciler, status, context).build();
        loop.queue().add(CLUSTER);
        assertThat(loop.runOnce()).isTrue();
        assertThat(managers).containsExactly("nodeward-test");
    }

    @Test
    void an_owner_is_reported_on_once_for_all_its_members_that_change_together() {
        Target owner = new Target(new Resource("g", "v1", "pools", true),
                new Event.Regarding("g/v1", "Pool", CLUSTER, "uid", "1"), List.of(), false);
        ControllerContext context = context(NOBODY_WRITES);
        OwnerStatus<String> status = context.ownerStatus(
                OwnerPolicy.atOnce("test", key -> "", key -> key));
        Reconciler<String> reconciler = member -> {
            worked.add(member);
            return member.isEmpty()
                    ? new Decision.Waiting("nothing")
                    : new Decision.Blocked(owner, new Blocked("Any", "any"), false);
        };
        ReconcileLoop<String> loop =
                ControllerBuilder.of("test", reconciler, status, context).build();
        loop.subscribe();
        loop.queue().add("a");
        loop.queue().add("b");
        drain(loop);
        time.pass(Duration.ofMillis(999));
        drain(loop);
        assertThat(worked).containsExactly("a", "b");
        time.pass(Duration.ofMillis(1));
        drain(loop);
        assertThat(worked).containsExactly("a", "b", "");
    }

    @Test
    void an_owner_that_a_former_run_reported_on_is_looked_at_once_this_run_would_have_reported_it() {
        ObjectCache<Node> owners = new ObjectCache<>();
        owners.put(node("a", "1"));
        ReconcileLoop<String> loop = builder().recalls(owners, owner -> Set.of(owner.key().name())).build();
        loop.subscribe();
        owners.put(node("b", "1"));
        time.pass(Duration.ofSeconds(29));
        drain(loop);
        assertThat(worked).isEmpty();
        time.pass(Duration.ofSeconds(1));
        drain(loop);
        assertThat(worked).containsExactlyInAnyOrder("a", "b");
    }

    private ControllerBuilder<String> builder() {
        return ControllerBuilder.ofFunction("test", key -> {
            worked.add(key);
            return Result.done();
        }, context(NOBODY_WRITES));
    }

    private ControllerContext context(ObjectWriter writer) {
        ApiServer server = new ApiServer(new UnaskedServer());
        return new ControllerContext(writer,
                new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
                new EventRecorder(server, time, timers, false, registry), time, timers, registry, "", false);
    }

    private static void drain(ReconcileLoop<?> loop) {
        boolean more = true;
        while (more) {
            more = loop.runOnce();
        }
    }

    private static Set<String> names(@Nullable Node before, @Nullable Node after) {
        Set<String> names = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after))
                .forEach(node -> names.add(node.key().name()));
        return names;
    }

    private static Node node(String name, String version) {
        return new Node(
                new Metadata(ObjectKey.clusterScoped(name), "uid", version, Map.of("version", version), Map.of(),
                        List.of(), false),
                "", List.of());
    }
}
