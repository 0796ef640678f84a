package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ManagementClusterTest extends ClustersFixture {
    private static final String GROUP = "/apis/cluster.x-k8s.io";
    private static final Fault NOT_SERVED =
            new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n");

    /** MachinePools that looked deleted. */
    private final List<String> gone = new CopyOnWriteArrayList<>();

    private void serveOnly(String version) {
        String group = "{\"kind\":\"APIGroup\",\"name\":\"cluster.x-k8s.io\",\"versions\":[{\"version\":\"" + version
                + "\"}]}";
        Predicate<Request> discovery = r -> r.path().equals(GROUP);
        Predicate<Request> others =
                r -> r.path().startsWith(GROUP + "/") && !(r.path() + "/").startsWith(GROUP + "/" + version + "/");
        management.fault(1_000_000, discovery,
                new Fault.Answer(200, Map.of("Content-Type", "application/json"), group));
        management.fault(1_000_000, others, NOT_SERVED);
    }

    private boolean watched(String path) {
        return management.requests().stream()
                .anyMatch(r -> r.path().equals(path) && r.query().contains("watch=true") && r.code() == 200);
    }

    private void createMachine(String name) {
        management.create("machines",
                json("{'metadata':{'namespace':'fleet','name':'" + name + "'},'spec':{'clusterName':'c'}}"));
    }

    @Test
    void the_newest_version_both_know_is_watched_and_secrets_by_their_metadata() {
        startSynced();

        assertThat(cluster.version()).isEqualTo("v1beta2");
        assertThat(watched(GROUP + "/v1beta2/machines")).isTrue();
        assertThat(management.requests()).extracting(Request::method).containsOnly("GET");
        assertThat(management.requests()).as("discovery and three watches").hasSize(4);
        assertThat(management.requests().stream().filter(r -> r.path().equals("/api/v1/secrets")))
                .singleElement()
                .satisfies(r -> assertThat(r.query()).contains("labelSelector=cluster.x-k8s.io%2Fcluster-name"));
    }

    @Test
    void a_management_cluster_with_v1beta1_alone_is_read() {
        serveOnly("v1beta1");
        createCluster("c");
        createMachine("m");
        startSynced();

        assertThat(cluster.version()).isEqualTo("v1beta1");
        assertThat(cluster.machines().size()).isEqualTo(1);
        assertThat(watched(GROUP + "/v1beta1/machines")).isTrue();
    }

    private AtomicReference<ObjectCache<MachinePool>> watchPools() {
        AtomicReference<ObjectCache<MachinePool>> pools = new AtomicReference<>();
        beforeStart = started -> {
            pools.set(started.watch("machinepools", Projection.MACHINE_POOL));
            pools.get().subscribe((before, after) -> {
                if (after == null) {
                    gone.add(before.key().name());
                }
            });
        };
        return pools;
    }

    private void createPool(String name) {
        management.create("machinepools",
                json("{'metadata':{'namespace':'fleet','name':'" + name + "'},'spec':{'clusterName':'c'}}"));
    }

    /** Of v1beta2. */
    private void withoutPools() {
        list("machines");
        management.fault(1_000_000, r -> r.path().equals(GROUP + "/v1beta2/machinepools"), NOT_SERVED);
    }

    /** Discovery lists this kind and clusters alone. */
    private void list(String plural) {
        management.fault(1_000_000, r -> r.path().equals(GROUP + "/v1beta2"),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"clusters\"},{\"name\":\"" + plural
                                + "\"}]}"));
    }

    @Test
    void a_kind_that_a_controller_asks_for_is_watched_as_well() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        createPool("mp");
        startSynced();

        assertThat(pools.get().all()).extracting(MachinePool::clusterName).containsExactly("c");
    }

    @Test
    void two_controllers_may_read_one_kind_in_their_own_ways() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        AtomicReference<ObjectCache<NodeGroup>> groups = new AtomicReference<>();
        beforeStart = beforeStart.andThen(
                started -> groups.set(started.watch("machinepools", Projection.NODE_GROUP)));
        createPool("mp");
        startSynced();

        assertThat(pools.get().all()).extracting(MachinePool::clusterName).containsExactly("c");
        assertThat(groups.get().all()).extracting(NodeGroup::clusterName).containsExactly("c");
    }

    @Test
    void a_kind_that_is_not_served_is_not_waited_for() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        withoutPools();
        createMachine("m");
        startSynced();

        assertThat(pools.get().synced()).isTrue();
        assertThat(cluster.machines().size()).isEqualTo(1);
        assertThat(management.requests()).noneMatch(r -> r.path().contains("machinepools"));
    }

    @Test
    void a_version_that_is_served_no_more_gives_way_to_the_one_that_is() {
        serveOnly("v1beta1");
        createMachine("before");
        startSynced();
        management.clearFaults();
        serveOnly("v1beta2");
        management.dropWatches();
        until(() -> watched(GROUP + "/v1beta2/machines"));
        createMachine("after");

        until(() -> cluster.machines().size() == 2);
        assertThat(cluster.version()).isEqualTo("v1beta2");
    }

    /** The definitions of clusters and machines are new already, that of machinepools is not. */
    @Test
    void a_kind_that_the_upgrade_has_not_reached_is_watched_in_the_version_before_and_never_looks_deleted() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        serveOnly("v1beta1");
        createMachine("m");
        createPool("before");
        startSynced();
        management.clearFaults();
        withoutPools();
        management.fault(1_000_000, r -> r.path().endsWith("/v1beta1/machines")
                || r.path().endsWith("/v1beta1/clusters"), NOT_SERVED);
        management.dropWatches();
        until(() -> watched(GROUP + "/v1beta2/machines") && watched(GROUP + "/v1beta2/clusters"));
        createPool("meanwhile");
        until(() -> pools.get().size() == 2);
        assertThat(watched(GROUP + "/v1beta2/machinepools")).isFalse();

        management.clearFaults();
        until(() -> watched(GROUP + "/v1beta2/machinepools"));
        createPool("after");
        until(() -> pools.get().size() == 3);
        awaitOpenWatches(management, 4);
        assertThat(gone).isEmpty();
        assertThat(cluster.machines().size()).isEqualTo(1);
    }

    /** Discovery may be behind: the list of kinds that it gives lacks one that is on its way. */
    @Test
    void a_kind_that_is_missing_for_a_minute_is_gone_and_one_that_comes_back_is_not() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        createPool("mp");
        startSynced();
        withoutPools();
        management.dropWatches();
        long looks = looks();
        until(() -> looks() > looks + 1);
        assertThat(gone).isEmpty();
        management.clearFaults();
        management.clearRequests();
        until(() -> watched(GROUP + "/v1beta2/machinepools"));
        createPool("second");
        until(() -> pools.get().size() == 2);

        time.pass(Duration.ofMinutes(2));
        withoutPools();
        long since = time.nanoTime();
        management.dropWatches();
        until(() -> pools.get().size() == 0);
        assertThat(Duration.ofNanos(time.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(gone).containsExactlyInAnyOrder("mp", "second");
        management.clearRequests();
        until(() -> looks() == 3);
        assertThat(management.requests()).extracting(Request::path).containsOnly(GROUP, GROUP + "/v1beta2");
        management.clearFaults();
        until(() -> pools.get().size() == 2);
    }

    @Test
    void a_kind_that_has_to_be_there_is_watched_and_kept_whatever_discovery_lists() {
        watchPools();
        list("machinepools");
        createMachine("m");
        startSynced();
        assertThat(cluster.machines().size()).isEqualTo(1);

        management.fault(1_000_000, r -> r.path().endsWith("/machines"), NOT_SERVED);
        management.dropWatches();
        long since = time.nanoTime();
        until(() -> time.nanoTime() - since > Duration.ofMinutes(3).toNanos());
        assertThat(cluster.machines().size()).isEqualTo(1);
        management.clearFaults();
        createMachine("second");
        until(() -> cluster.machines().size() == 2);
    }

    private long looks() {
        return management.requests().stream().filter(r -> r.path().equals(GROUP + "/v1beta2")).count();
    }

    @Test
    void crds_that_come_later_are_waited_for() {
        management.fault(1_000_000, r -> r.path().startsWith(GROUP), NOT_SERVED);
        start();
        until(() -> management.requests().size() >= 2);
        assertThat(cluster.unsynced()).isPresent();
        assertThat(management.requests()).extracting(Request::path).containsOnly(GROUP);
        management.clearFaults();
        createMachine("m");

        until(() -> cluster.unsynced().isEmpty());
        assertThat(cluster.machines().size()).isEqualTo(1);
    }

    @Test
    void a_crd_that_comes_after_its_group_is_waited_for() {
        management.fault(3, r -> r.path().endsWith("/machines"), NOT_SERVED);
        createMachine("m");
        start();

        until(() -> cluster.unsynced().isEmpty());
        assertThat(cluster.machines().size()).isEqualTo(1);
        awaitOpenWatches(management, 3);
    }

    @Test
    void no_namespace_at_all_is_refused_as_nothing_would_ever_be_read() {
        try (Timers timers = new Timers()) {
            HomeCluster home = new HomeCluster(new ApiServer(new UnaskedServer()), timers);
            assertThatThrownBy(() -> new ManagementCluster(home, "", List.of(), timers))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("one empty name");
        }
    }

    @Test
    void a_server_that_is_not_there_yet_is_waited_for() {
        management.fault(2, r -> true, new Fault.Cut(-1));
        management.fault(1, r -> true, Fault.status(500, "InternalError", "starting"));
        startSynced();
    }

    @Test
    void closing_while_nothing_is_served_ends_at_once_and_asks_no_more() throws Exception {
        management.fault(1_000_000, r -> true, NOT_SERVED);
        start();
        await().until(() -> time.waits().size() == 1); // it is in a pause
        int asked = management.requests().size();
        cluster.close();
        await().until(() -> time.waits().isEmpty());
        time.pass(Duration.ofHours(1));

        assertThat(time.waits()).isEmpty();
        assertThat(management.requests()).hasSize(asked);
    }
}
