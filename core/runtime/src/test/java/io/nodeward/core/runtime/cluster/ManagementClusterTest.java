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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ManagementClusterTest extends ClusterApiFixture {
    @Test
    void the_newest_version_both_know_is_watched_and_secrets_by_their_metadata() {
        startSynced();

        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
        assertThat(watched(GROUP + "/v1beta2/machines")).isTrue();
        assertThat(management.requests()).extracting(Request::method).containsOnly("GET");
        assertThat(management.requests()).as("three of discovery, and three watches").hasSize(6);
        assertThat(management.requests().stream().filter(r -> r.path().equals("/api/v1/secrets")))
                .singleElement()
                .satisfies(r -> assertThat(r.query()).contains("labelSelector=cluster.x-k8s.io%2Fcluster-name"));
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
