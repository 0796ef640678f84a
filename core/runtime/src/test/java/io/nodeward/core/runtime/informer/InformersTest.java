package io.nodeward.core.runtime.informer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.cluster.ConnectionFactory;
import io.nodeward.core.runtime.cluster.WritePause;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InformersTest {
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Resource POOLS = new Resource("cluster.x-k8s.io", "v1beta2", "machinepools", true);

    private final FakeApiServer server = FakeApiServer.start(
            Options.defaults().withBookmarkEvery(Duration.ofMillis(50))); // so it notices who has gone
    private final Timers timers = new Timers();
    private final ApiServer api = new ConnectionFactory(
            new Fabric8Backend(), ClusterSettings.DEFAULT, timers, new SimpleMeterRegistry(), "test", WritePause.NEVER,
            Leadership.UNCONTESTED)
            .management(server.kubeconfig(), Optional.empty());
    private final Informers informers = new Informers(timers);
    private final ObjectCache<MachinePool> pools = new ObjectCache<>();
    private final ObjectCache<NodeGroup> groups = new ObjectCache<>();
    private final AtomicInteger following = new AtomicInteger();

    @BeforeEach
    void createPool() {
        create("p");
    }

    @AfterEach
    void stop() {
        informers.close();
        api.close();
        timers.close();
        server.close();
    }

    @Test
    void users_of_one_kind_share_one_watch_and_each_has_its_own_record() {
        informers.start(List.of(reader(Projection.MACHINE_POOL, pools), reader(Projection.NODE_GROUP, groups)));
        until(() -> pools.synced() && groups.synced() && following.get() == 2);
        create("later");
        until(() -> pools.size() == 2 && groups.size() == 2);
        server.delete("machinepools", "default", "p");
        until(() -> pools.size() == 1 && groups.size() == 1);

        assertThat(server.openWatches()).isOne();
        assertThat(watches()).hasSize(1);
        assertThat(pools.all()).extracting(MachinePool::clusterName).containsExactly("c");
        assertThat(groups.all()).extracting(NodeGroup::clusterName).containsExactly("c");
    }

    @Test
    void a_change_of_what_a_user_does_not_read_does_not_wake_him() {
        List<String> told = new CopyOnWriteArrayList<>();
        pools.subscribeToChanges((before, after) -> told.add("pool"));
        groups.subscribeToChanges((before, after) -> told.add("group"));
        informers.start(List.of(reader(Projection.MACHINE_POOL, pools), reader(Projection.NODE_GROUP, groups)));
        until(() -> pools.synced() && groups.synced());
        told.clear();
        server.mergePatch("machinepools", "default", "p", json("{'spec':{'providerIDList':['a']}}"));
        create("canary");
        until(() -> told.contains("group")); // after the cache holds it

        assertThat(told).containsExactly("pool", "pool", "group");
    }

    @Test
    void who_comes_later_sees_what_is_there_and_nobody_misses_anything() {
        reader(Projection.MACHINE_POOL, pools).start();
        until(pools::synced);
        reader(Projection.NODE_GROUP, groups).start();
        until(groups::synced);
        create("later");
        until(() -> pools.size() == 2 && groups.size() == 2);

        until(() -> server.openWatches() == 1);
    }

    @Test
    void the_last_user_ends_the_watch_and_no_other() {
        Informer<MachinePool> one = reader(Projection.MACHINE_POOL, pools);
        Informer<NodeGroup> other = reader(Projection.NODE_GROUP, groups);
        informers.start(List.of(one, other));
        until(() -> pools.synced() && groups.synced());
        one.close();
        create("later");
        until(() -> groups.size() == 2);
        assertThat(pools.size()).as("what the one has read who left").isOne();
        other.close();
        until(() -> server.openWatches() == 0);
        assertThat(watches()).hasSize(1);

        ObjectCache<NodeGroup> again = new ObjectCache<>();
        reader(Projection.NODE_GROUP, again).start();
        until(() -> again.size() == 2);
    }

    @Test
    void objects_of_which_less_is_kept_are_read_again_and_no_others() {
        long[] live = {100};
        HeapBudget budget = new HeapBudget(100, () -> live[0], System::nanoTime, new SimpleMeterRegistry());
        budget.addCluster("fleet/large", 1_000);
        ObjectCache<CandidatePod> pods = new ObjectCache<>(budget);
        server.create("pods", json("{'metadata':{'name':'p','namespace':'default','labels':{'a':'b'}}}"));
        informers.start(List.of(reader(Projection.MACHINE_POOL, pools), new Informer<>(informers, new ListWatch<>(
                "pods", api, Resources.PODS, "", false, CandidatePod.PROJECTION), pods, ReflectorListener.NONE)));
        until(() -> pools.synced() && pods.size() == 1);
        assertThat(pods.all()).allMatch(CandidatePod::isTruncated);

        live[0] = 0;
        assertThat(budget.recovers()).isTrue();
        budget.addCluster("fleet/large", -1_000_000); // so that the pod, which is larger than this heap, fits
        informers.readReducedAgain();

        until(() -> pods.all().stream().noneMatch(CandidatePod::isTruncated));
        assertThat(watches()).filteredOn(watch -> watch.path().endsWith("machinepools")).hasSize(1);
        server.delete("pods", "default", "p");
        until(() -> pods.size() == 0);
        until(() -> server.openWatches() == 2);
    }

    @Test
    void another_selector_is_another_watch() {
        informers.start(List.of(reader(Projection.MACHINE_POOL, pools), reader("a=b", Projection.NODE_GROUP, groups)));
        until(() -> pools.synced() && groups.synced());

        assertThat(pools.size()).isOne();
        assertThat(groups.size()).isZero();
        assertThat(watches()).hasSize(2);
    }

    @Test
    void a_cache_waits_for_no_list_of_which_the_informer_was_never_started() {
        ListWatch<MachinePool> all = new ListWatch<>("machinepools", api, POOLS, "", false, Projection.MACHINE_POOL);
        List<Informer<MachinePool>> both = informers.informers(List.of("default", "other"), all, pools,
                namespace -> ReflectorListener.NONE);
        assertThat(pools.unlisted()).isEmpty();
        both.getFirst().start();
        until(pools::synced);

        server.fault(request -> request.path().contains("/namespaces/other/"), Fault.status(403, "Forbidden", "no"));
        ObjectCache<MachinePool> started = new ObjectCache<>();
        informers.start(informers.informers(List.of("default", "other"), all, started,
                namespace -> ReflectorListener.NONE));
        until(() -> started.unlisted().equals(List.of("other")));
        assertThat(started.synced()).isFalse();
    }

    @Test
    void nothing_starts_once_it_or_all_is_closed() {
        Informer<MachinePool> halted = reader(Projection.MACHINE_POOL, pools);
        halted.halt();
        halted.start();
        assertNothingRuns();
        informers.close();
        reader(Projection.NODE_GROUP, groups).start();
        assertNothingRuns();
    }

    private static void assertNothingRuns() {
        assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
                .doesNotContain("nodeward-reflector-machinepools");
    }

    private <T extends KubernetesObject> Informer<T> reader(Projection<T> projection, ObjectCache<T> cache) {
        return reader("", projection, cache);
    }

    private <T extends KubernetesObject> Informer<T> reader(
            String selector, Projection<T> projection, ObjectCache<T> cache) {
        return informers.informer(new ListWatch<>("machinepools", api, POOLS, selector, false, projection), cache,
                new ReflectorListener() {
                    @Override
                    public void following() {
                        following.incrementAndGet();
                    }
                });
    }

    private List<Request> watches() {
        return server.requests().stream().filter(request -> request.query().contains("watch=true")).toList();
    }

    private void create(String name) {
        server.create("machinepools", json("{'metadata':{'namespace':'default','name':'" + name
                + "'},'spec':{'clusterName':'c'}}"));
    }

    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(condition);
    }

    /** JSON with single quotes. */
    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
