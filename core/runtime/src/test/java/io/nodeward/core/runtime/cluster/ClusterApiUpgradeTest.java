package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Cluster API is upgraded meanwhile, or discovery is wrong for a moment. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ClusterApiUpgradeTest extends ClusterApiFixture {
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
        awaitOpenWatches(management, 4);
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

    /** One kind is not served, so that each minute discovery is asked again. */
    private void startBesideMissingKind() {
        watchPools();
        withoutPools();
        createMachine("m");
        startSynced();
        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
    }

    @Test
    void one_answer_that_lacks_a_kind_in_its_version_changes_nothing() {
        startBesideMissingKind();
        management.clearFaults();
        serve("v1beta1", "clusters", "machines");
        list("v1beta2", "clusters");
        management.clearRequests();
        long before = looks();
        untilLater(() -> looks() > before);
        management.clearFaults();
        withoutPools();
        pass(Duration.ofMinutes(3));

        assertThat(management.requests()).noneMatch(r -> r.path().equals(GROUP + "/v1beta1/machines"));
        assertThat(cluster.version("machines")).isEqualTo("v1beta2");
        assertThat(lines).isEmpty();
    }

    @Test
    void a_version_that_has_not_been_served_for_a_minute_gives_way_to_an_older_one() {
        startBesideMissingKind();
        management.clearFaults();
        serve("v1beta2", "clusters");
        serve("v1beta1", "clusters", "machines");
        long since = time.nanoTime();
        management.dropWatches();
        untilLater(() -> cluster.version("machines").equals("v1beta1"));

        assertThat(Duration.ofNanos(time.nanoTime() - since)).isGreaterThanOrEqualTo(Duration.ofMinutes(1));
        untilLater(() -> watched(GROUP + "/v1beta1/machines"));
    }

    @Test
    void in_the_only_version_that_is_served_a_removal_waits_for_two_answers_that_say_so() {
        serveOnly("v1beta1");
        createMachine("m");
        startSynced();
        pass(Duration.ofMinutes(5));
        int early = asked();
        untilLater(() -> asked() > early); // no question is on its way that was asked before
        int before = asked();
        assertThat(held("a")).isTrue();
        pass(Duration.ofSeconds(1)); // an answer to what is asked at the same time does not count
        untilLater(() -> asked() == before + 1);
        assertThat(held("a")).as("after one answer").isTrue();
        assertThat(held("b")).isTrue();
        untilLater(() -> asked() == before + 2);

        await().atMost(PATIENCE).until(() -> !held("a"));
        assertThat(held("b")).as("planned before the second answer alone").isTrue();
        assertThat(held("a")).as("another one, which nobody has asked for").isTrue();
    }

    @Test
    void a_removal_waits_while_the_group_serves_a_newer_version_than_its_objects_are_read_in() {
        serve("v1beta2", "clusters");
        createMachine("m");
        startSynced();
        assertThat(cluster.version("machines")).isEqualTo("v1beta1");
        assertThat(held("a")).isTrue();
        pass(Duration.ofMinutes(5));
        assertThat(held("a")).isTrue();

        management.clearFaults();
        management.fault(1_000_000, r -> r.path().equals(GROUP + "/v1beta2/machines"),
                Fault.status(500, "InternalError", "of the test"));
        untilLater(() -> cluster.version("machines").equals("v1beta2"));
        pass(Duration.ofMinutes(3));
        assertThat(held("a")).as("nothing has been read in the new version").isTrue();
        management.clearFaults();
        untilLater(() -> watched(GROUP + "/v1beta2/machines"));
        until(() -> !held("a"));
    }

    @Test
    void a_removal_that_waits_for_minutes_says_what_for() {
        serve("v1beta2", "clusters");
        createMachine("m");
        startSynced();
        assertThat(reported("a")).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(reported("a")).isEmpty();
        pass(Duration.ofMinutes(2));
        assertThat(reported("a")).contains("no taint is removed, as machines.cluster.x-k8s.io are read in version"
                + " v1beta1, and discovery has not shown that none is newer, and a newer version may declare the taint");
        for (int minutes = 0; minutes < 15; minutes++) {
            pass(Duration.ofMinutes(1));
            assertThat(reported("a")).as("after " + minutes + " more minutes").isPresent();
        }

        management.clearFaults();
        management.fault(1_000_000, r -> r.path().equals(GROUP + "/v1beta2/machines"),
                Fault.status(403, "Forbidden", "of the test"));
        untilLater(() -> cluster.version("machines").equals("v1beta2"));
        pass(Duration.ofMinutes(1));
        assertThat(reported("a").orElseThrow()).contains("machines.cluster.x-k8s.io have not been listed in version"
                + " v1beta2 (grant the controller list and watch of them there)");
        management.clearFaults();
        untilLater(() -> watched(GROUP + "/v1beta2/machines"));
        until(() -> !held("a"));
    }

    private Optional<String> reported(String removal) {
        return cluster.untilNewest(removal, Set.of("clusters", "machines")).orElseThrow().lasting();
    }

    @Test
    void in_the_newest_version_no_removal_waits() {
        createMachine("m");
        startSynced();
        until(() -> !held("a"));
        assertThat(cluster.untilNewest("a", Set.of("of no such kind"))).isEmpty();
    }

    private boolean held(String removal) {
        return cluster.untilNewest(removal, Set.of("clusters", "machines")).isPresent();
    }

    private int asked() {
        return (int) management.requests().stream().filter(r -> r.path().equals(GROUP)).count();
    }
}
