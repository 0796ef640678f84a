package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
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
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ManagementClusterTest extends ClustersFixture {
    private static final String GROUP = "/apis/cluster.x-k8s.io";
    private static final Fault NOT_SERVED =
            new Fault.Answer(404, Map.of("Content-Type", "text/plain"), "404 page not found\n");

    /** MachinePools that looked deleted. */
    private final List<String> gone = new CopyOnWriteArrayList<>();
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Logger log = (Logger) LoggerFactory.getLogger(ClusterApiWatches.class);
    private final Level before = log.getLevel();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent line) {
            lines.add(line.getLevel() + " " + line.getFormattedMessage());
        }
    };

    @BeforeEach
    void readLog() {
        appender.start();
        log.addAppender(appender);
        log.setLevel(Level.INFO);
    }

    @AfterEach
    void leaveLog() {
        log.detachAppender(appender);
        log.setLevel(before);
    }

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

    /** These kinds alone are in this version. */
    private void serve(String version, String... plurals) {
        String path = GROUP + "/" + version;
        String kinds =
                Stream.of(plurals).map(plural -> "{\"name\":\"" + plural + "\"}").collect(Collectors.joining(","));
        management.fault(1_000_000, r -> r.path().equals(path),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIResourceList\",\"resources\":[" + kinds + "]}"));
        management.fault(1_000_000, r -> r.path().startsWith(path + "/")
                && Stream.of(plurals).noneMatch(plural -> r.path().endsWith("/" + plural)), NOT_SERVED);
    }

    /** Lets so much time pass, in steps in which what is due is sent and answered. */
    private void pass(Duration length) {
        long end = time.nanoTime() + length.toNanos();
        untilLater(() -> time.nanoTime() >= end);
    }

    /** As {@link #until}, also for what comes again and again. */
    private void untilLater(BooleanSupplier condition) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(3)).until(() -> {
            boolean met = condition.getAsBoolean();
            if (!met && workloads.isIdle()) {
                backend.passStep();
            }
            return met;
        });
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

        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
        assertThat(watched(GROUP + "/v1beta2/machines")).isTrue();
        assertThat(management.requests()).extracting(Request::method).containsOnly("GET");
        assertThat(management.requests()).as("three of discovery, and three watches").hasSize(6);
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

        assertThat(cluster.version("machines")).isEqualTo("v1beta1");
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

    private void withoutPools() {
        serve("v1beta2", "clusters", "machines");
        serve("v1beta1", "clusters", "machines");
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
        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
    }

    /** As when Cluster API 1.10 is followed by one that serves both: no watch fails. */
    @Test
    void a_newer_version_that_comes_beside_the_one_watched_takes_its_place() {
        serveOnly("v1beta1");
        createMachine("before");
        startSynced();
        pass(Duration.ofMinutes(3));
        assertThat(cluster.version("machines")).isEqualTo("v1beta1");
        management.clearFaults();
        untilLater(() -> watched(GROUP + "/v1beta2/machines") && watched(GROUP + "/v1beta2/clusters"));

        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
        createMachine("after");
        until(() -> cluster.machines().size() == 2);
        long looks = looks();
        pass(Duration.ofMinutes(3));
        assertThat(looks()).as("there is nothing newer").isEqualTo(looks);
    }

    @Test
    void each_kind_is_read_in_the_newest_version_that_has_it_from_the_start() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        serve("v1beta2", "clusters");
        createPool("mp");
        createMachine("m");
        startSynced();

        assertThat(pools.get().size()).isEqualTo(1);
        assertThat(cluster.machines().size()).isEqualTo(1);
        assertThat(cluster.version("clusters")).isEqualTo("v1beta2");
        assertThat(cluster.version("machines")).isEqualTo("v1beta1");
        assertThat(cluster.version("machinepools")).isEqualTo("v1beta1");
        assertThat(management.requests()).noneMatch(r -> r.path().matches(GROUP + "/v1beta2/machine.*"));
    }

    @Test
    void kinds_that_are_never_missing_are_looked_for_in_each_version_too() {
        serve("v1beta2", "clusters");
        createMachine("m");
        startSynced();

        assertThat(cluster.machines().size()).isEqualTo(1);
        assertThat(cluster.version("machines")).isEqualTo("v1beta1");
    }

    /** The definitions of clusters and machines are new already, that of machinepools is not. */
    @Test
    void a_kind_that_the_upgrade_has_not_reached_is_watched_in_the_version_before_and_never_looks_deleted() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        beforeStart = beforeStart.andThen(started -> started.watch("machinepools", Projection.NODE_GROUP));
        serveOnly("v1beta1");
        createMachine("m");
        createPool("before");
        startSynced();
        management.clearFaults();
        serve("v1beta2", "clusters", "machines");
        serve("v1beta1", "machinepools");
        management.dropWatches();
        until(() -> watched(GROUP + "/v1beta2/machines") && watched(GROUP + "/v1beta2/clusters"));
        createPool("meanwhile");
        until(() -> pools.get().size() == 2);
        assertThat(watched(GROUP + "/v1beta2/machinepools")).isFalse();
        assertThat(cluster.version("machinepools")).isEqualTo("v1beta1");
        assertThat(lines).containsExactlyInAnyOrder(moved("clusters"), moved("machines"));

        management.clearFaults();
        untilLater(() -> watched(GROUP + "/v1beta2/machinepools"));
        createPool("after");
        until(() -> pools.get().size() == 3);
        assertThat(cluster.version("machinepools")).isEqualTo("v1beta2");
        assertThat(lines).containsExactlyInAnyOrder(moved("clusters"), moved("machines"), moved("machinepools"));
        awaitOpenWatches(management, 5);
        assertThat(gone).isEmpty();
        assertThat(cluster.machines().size()).isEqualTo(1);
    }

    private static String moved(String plural) {
        return "INFO " + plural + ".cluster.x-k8s.io: watched in v1beta2, no more in v1beta1";
    }

    /** Discovery may be behind: the list of kinds that it gives lacks one that is on its way. */
    @Test
    void a_kind_that_is_missing_for_a_minute_is_gone_and_one_that_comes_back_is_not() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        beforeStart = beforeStart.andThen(started -> started.watch("machinepools", Projection.NODE_GROUP));
        createPool("mp");
        startSynced();
        withoutPools();
        management.dropWatches();
        long looks = looks();
        pass(Duration.ofSeconds(50));
        assertThat(looks()).isGreaterThan(looks + 1);
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
        untilLater(() -> pools.get().size() == 0);
        assertThat(Duration.ofNanos(time.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(gone).containsExactlyInAnyOrder("mp", "second");
        assertThat(lines).containsExactly("WARN machinepools.cluster.x-k8s.io: watched in no version, as none has been"
                + " served for a minute, no more in v1beta2");
        management.clearRequests();
        pass(Duration.ofMinutes(3));
        assertThat(management.requests()).extracting(Request::path)
                .containsOnly(GROUP, GROUP + "/v1beta2", GROUP + "/v1beta1");
        management.clearFaults();
        untilLater(() -> pools.get().size() == 2);
    }

    @Test
    void a_server_that_fails_meanwhile_does_not_say_that_a_kind_is_missing_still() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        createPool("mp");
        startSynced();
        Predicate<Request> watch = r -> r.path().endsWith("/machinepools");
        management.fault(4, watch, NOT_SERVED);
        management.fault(1, watch, Fault.status(500, "InternalError", "of the test"));
        withoutPools();
        management.dropWatches();
        untilLater(() -> management.requests().stream().anyMatch(r -> r.code() == 500));
        pass(Duration.ofSeconds(50));

        assertThat(gone).isEmpty();
        untilLater(() -> pools.get().size() == 0);
    }

    /** A look takes as long as the server fails. */
    @Test
    void a_kind_that_comes_after_a_long_look_is_watched_too() {
        AtomicReference<ObjectCache<MachinePool>> pools = watchPools();
        createPool("mp");
        withoutPools();
        startSynced();
        management.fault(1_000_000, r -> r.path().equals(GROUP), Fault.status(500, "InternalError", "of the test"));
        pass(Duration.ofMinutes(4));
        management.clearFaults();
        withoutPools();
        pass(Duration.ofSeconds(20));
        assertThat(pools.get().size()).isZero();
        management.clearFaults();
        untilLater(() -> pools.get().size() == 1);
    }

    @Test
    void a_kind_that_has_to_be_there_is_watched_and_kept_whatever_discovery_lists() {
        watchPools();
        management.fault(1_000_000, r -> r.path().equals(GROUP + "/v1beta2"),
                new Fault.Answer(200, Map.of("Content-Type", "application/json"),
                        "{\"kind\":\"APIResourceList\",\"resources\":[{\"name\":\"clusters\"},"
                                + "{\"name\":\"machinepools\"}]}"));
        createMachine("m");
        startSynced();
        assertThat(cluster.machines().size()).isEqualTo(1);

        management.fault(1_000_000, r -> r.path().endsWith("/machines"), NOT_SERVED);
        management.dropWatches();
        pass(Duration.ofMinutes(3));
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
