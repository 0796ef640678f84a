package io.nodeward.core.runtime.informer;

import static io.nodeward.core.runtime.informer.ListServer.list;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a watch may still do that is no longer wanted: its server sends, or is silent, whatever it is asked. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EndedWatchTest {
    private static final Resource POOLS = new Resource("cluster.x-k8s.io", "v1beta2", "machinepools", true);
    private static final Projection<TaintHolder> TAINTS = Projection.taintHolder(TaintPlace.TEMPLATE);

    private final ListServer server = new ListServer();
    private final ApiServer api = new ApiServer(server);
    private final Timers timers = new Timers();
    private final Informers informers = new Informers(timers);
    private final ObjectCache<MachinePool> pools = new ObjectCache<>();
    private final ObjectCache<NodeGroup> groups = new ObjectCache<>();
    private final ObjectCache<TaintHolder> taints = new ObjectCache<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);

    @AfterEach
    void stop() {
        Thread.interrupted();
        closed.countDown();
        server.release();
        informers.close();
        timers.close();
    }

    @Test
    void a_watch_that_another_has_replaced_changes_nothing_more() throws Exception {
        HeldBody first = server.held(list(5, "gone"));
        server.lists(list(9, "there"));
        reader("", Projection.MACHINE_POOL, pools).start();
        first.reader();
        withoutPatience(reader("", Projection.NODE_GROUP, groups)::start);
        await().until(() -> pools.synced() && groups.synced());
        first.release();
        first.reader().join();

        assertThat(pools.all()).extracting(pool -> pool.key().name()).containsExactly("there");
        assertThat(groups.all()).extracting(group -> group.key().name()).containsExactly("there");
    }

    @Test
    void who_waits_for_the_end_of_a_watch_holds_up_nobody() throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        HeldBody first = new HeldBody(list(5)) {
            @Override
            public void close() {
                closing.countDown();
                release();
                await(closed);
            }
        };
        server.next(first);
        server.lists(list(9, "there"));
        reader("", Projection.MACHINE_POOL, pools).start();
        first.reader();
        Thread later = Thread.ofVirtual().start(reader("", Projection.NODE_GROUP, groups)::start);
        closing.await();
        Thread other = Thread.ofVirtual().start(reader("a=b", TAINTS, taints)::start);
        await().until(taints::synced);
        assertThat(later.isAlive()).isTrue();

        closed.countDown();
        later.join();
        other.join();
    }

    @Test
    void a_closed_informer_keeps_its_cache_as_it_is_although_its_watch_goes_on() throws Exception {
        HeldBody first = server.held(list(5, "late"));
        Informer<MachinePool> alone = reader("", Projection.MACHINE_POOL, pools);
        alone.start();
        first.reader();
        withoutPatience(alone::close);
        first.release();
        first.reader().join();

        assertThat(pools.size()).isZero();
        assertThat(pools.synced()).isFalse();
    }

    @Test
    void the_close_of_all_keeps_the_caches_as_they_are_too() throws Exception {
        HeldBody first = server.held(list(5, "late"));
        reader("", Projection.MACHINE_POOL, pools).start();
        first.reader();
        withoutPatience(informers::close);
        first.release();
        first.reader().join();

        assertThat(pools.synced()).isFalse();
    }

    @Test
    void close_waits_for_the_watch_that_halt_has_ended() throws Exception {
        HeldBody first = server.heldUntilClosed();
        Informer<MachinePool> alone = reader("", Projection.MACHINE_POOL, pools);
        alone.start();
        Thread watching = first.reader();
        alone.halt();
        assertThat(watching.isAlive()).isTrue();
        alone.close();

        assertThat(watching.isAlive()).isFalse();
    }

    @Test
    void the_close_of_all_waits_for_a_watch_whose_last_user_is_just_leaving() throws Exception {
        HeldBody first = server.heldUntilClosed();
        Informer<MachinePool> alone = reader("", Projection.MACHINE_POOL, pools);
        alone.start();
        Thread watching = first.reader();
        informers.leave(alone);
        informers.close();

        assertThat(watching.isAlive()).isFalse();
    }

    @Test
    void who_cannot_read_an_object_watches_alone_until_he_can_and_the_others_go_on() {
        server.lists(list(5, "p", "odd").replace("'odd'", "'odd','managedFields':[" + "0,".repeat(100_000) + "0]"));
        Informer<TaintHolder> odd = reader("", TAINTS, taints);
        informers.start(List.of(odd, reader("", Projection.MACHINE_POOL, pools)));
        await().until(() -> pools.synced() && failures.get() > 0);
        assertThat(pools.size()).isEqualTo(2);
        assertThat(taints.synced()).isFalse();

        server.lists(list(9, "p", "odd"));
        await().until(() -> {
            odd.wake();
            return taints.synced();
        });
        assertThat(taints.size()).isEqualTo(2);
        odd.close();
        assertThat(failures.get()).isPositive();
    }

    @Test
    void whose_index_fails_for_an_object_watches_alone_until_it_works_and_the_others_go_on() {
        server.lists(list(5, "p", "odd"));
        AtomicBoolean failing = new AtomicBoolean(true);
        ObjectCache<TaintHolder> indexed = new ObjectCache<>(Index.of("name", holder -> unlessOdd(failing, holder)));
        Informer<TaintHolder> index = reader("", TAINTS, indexed);
        informers.start(List.of(index, reader("", Projection.NODE_GROUP, groups)));
        await().until(() -> groups.synced() && index.separated());
        assertThat(groups.size()).isEqualTo(2);
        assertThat(indexed.synced()).isFalse();

        failing.set(false);
        await().until(() -> {
            index.wake();
            return indexed.synced();
        });
        assertThat(indexed.size()).isEqualTo(2);
    }

    private static String unlessOdd(AtomicBoolean failing, KubernetesObject object) {
        if (failing.get() && object.key().name().equals("odd")) {
            throw new IllegalStateException("planted");
        }
        return object.key().name();
    }

    /** As if it had waited in vain for the end of a watch. */
    private static void withoutPatience(Runnable call) {
        Thread.currentThread().interrupt();
        call.run();
        assertThat(Thread.interrupted()).isTrue();
    }

    private <T extends KubernetesObject> Informer<T> reader(
            String selector, Projection<T> projection, ObjectCache<T> cache) {
        return informers.informer(source(selector, projection), cache, new ReflectorListener() {
            @Override
            public void failed(ApiFailure failure) {
                failures.addAndGet(failure instanceof ApiFailure.Unreachable ? 1 : 0);
            }
        });
    }

    private <T extends KubernetesObject> ListWatch<T> source(String selector, Projection<T> projection) {
        return new ListWatch<>("machinepools", api, POOLS, selector, false, projection);
    }
}
