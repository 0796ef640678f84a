package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.backend.fabric8.Fabric8Backend;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ClusterAccess;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The reflector over the real transport, against an API server. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReflectorTest extends ReflectorFixture {
    private static final Duration BOOKMARK = Duration.ofMillis(100);
    private static final Predicate<Request> ANY = request -> true;
    private static final Predicate<Request> WATCH_LIST = request -> request.query().contains("sendInitialEvents");

    private FakeApiServer server;
    private ApiServer api;

    @BeforeEach
    void startServer() {
        server = FakeApiServer.start(Options.defaults().withBookmarkEvery(BOOKMARK));
        api = new ApiServer(new Fabric8Backend()
                .connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "reflector-test")));
    }

    @AfterEach
    void stopServer() {
        stopReflector();
        awaitOpenWatches(0);
        server.close();
    }

    /** A server finds out that a client has hung up when it has something to say. */
    private void awaitOpenWatches(int atMost) {
        await("connections given back").pollInterval(Duration.ofMillis(10)).until(() -> {
            create("tell-" + server.resourceVersion());
            return server.openWatches() <= atMost;
        });
    }

    @Override
    ApiServer api() {
        return api;
    }

    private void create(String... names) {
        for (String name : names) {
            server.create("nodes", json("{'metadata':{'name':'" + name + "'}}"));
        }
    }

    private void label(String node, String value) {
        server.mergePatch("nodes", "", node, json("{'metadata':{'labels':{'x':'" + value + "'}}}"));
    }

    private void delete(String node) {
        server.delete("nodes", "", node);
    }

    private String labelOf(String node) {
        return cache.all().stream()
                .filter(n -> n.key().name().equals(node))
                .map(n -> n.metadata().labels().getOrDefault("x", ""))
                .findFirst()
                .orElse("absent");
    }

    private List<String> queries() {
        return server.requests().stream().map(Request::query).toList();
    }

    /** The lists that were answered. */
    private long lists() {
        return server.requests().stream().filter(r -> !r.query().contains("watch=true") && r.code() == 200).count();
    }

    /** Changes made while the reflector is cut off; it has seen nothing of them when this returns. */
    private void whileCutOff(Runnable gap) {
        AtomicBoolean cutOff = new AtomicBoolean(true);
        server.fault(1_000_000, request -> cutOff.get(), Fault.status(503, "ServiceUnavailable", "cut off"));
        server.dropWatches();
        until(() -> failures.stream().anyMatch(f -> f.status().code() == 503));
        gap.run();
        cutOff.set(false); // faults that the gap has planned come next
    }

    @Test
    void what_is_there_comes_as_one_watch_and_no_list() {
        create("a", "b", "c", "d");
        synced(SETTINGS);
        label("a", "1");
        until(() -> labelOf("a").equals("1"));

        assertThat(queries()).singleElement().asString()
                .contains("watch=true", "sendInitialEvents=true", "resourceVersionMatch=NotOlderThan",
                        "allowWatchBookmarks=true");
        assertThat(cached()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void where_watch_list_is_refused_pages_are_listed_and_watched_from_there(int code) {
        create("a", "b", "c", "d", "e", "f", "g");
        server.fault(1000, WATCH_LIST, Fault.status(code, "Invalid", "sendInitialEvents is forbidden"));
        synced(SETTINGS);
        until(() -> server.openWatches() == 1);

        assertThat(queries()).hasSize(5);
        assertThat(queries().get(0)).contains("sendInitialEvents");
        assertThat(queries().get(1)).isEqualTo("limit=3");
        assertThat(queries().get(2)).startsWith("continue=").contains("limit=3");
        assertThat(queries().get(3)).startsWith("continue=");
        assertThat(queries().get(4)).contains("watch=true", "resourceVersion=");
        assertThat(cached()).hasSize(7);

        whileCutOff(() -> {
            create("h");
            server.expire();
        });
        until(() -> cached().contains("h"));
        assertThat(lists()).as("three pages each, and the version after the outage").isEqualTo(7);
        assertThat(queries().stream().filter(q -> q.contains("sendInitialEvents"))).hasSize(1);
    }

    @Test
    void a_change_between_two_pages_is_not_lost() {
        create("a", "b", "c", "d", "e");
        server.fault(1000, WATCH_LIST, Fault.status(422, "Invalid", "no"));
        Predicate<Request> secondPage = r -> {
            if (!r.query().startsWith("continue=")) {
                return false;
            }
            label("a", "late"); // already listed
            delete("b");
            create("f");
            return true;
        };
        server.fault(secondPage, new Fault.Delay(Duration.ZERO));
        synced(SETTINGS);

        untilAsserted(() -> assertThat(cached()).containsExactlyInAnyOrder("a", "c", "d", "e", "f"));
        until(() -> labelOf("a").equals("late"));
    }

    @Test
    void bookmarks_carry_the_watch_past_changes_of_others() {
        create("a");
        synced(SETTINGS);
        for (int i = 0; i < 5; i++) {
            server.create("secrets", json("{'metadata':{'name':'s" + i + "'}}"));
        }
        long now = server.resourceVersion();
        await().pollInterval(BOOKMARK.multipliedBy(2)).until(() -> {
            int asked = server.requests().size();
            server.dropWatches();
            until(() -> server.requests().size() > asked);
            return queries().stream().anyMatch(q -> q.contains("watch=true") && q.contains("resourceVersion=" + now));
        });
        assertThat(queries()).noneMatch(query -> query.contains("limit=3"));
    }

    @Test
    void a_watch_that_ended_in_good_order_goes_on_without_a_list() {
        create("a");
        synced(new ReflectorSettings(3, SETTINGS.silence(), SETTINGS.silence(), SETTINGS.initialSilence(),
                Duration.ofMillis(1300), QUICK));
        until(() -> server.requests().size() >= 3);
        create("b");
        until(() -> cached().contains("b"));

        assertThat(lists()).isZero();
        assertThat(queries().stream().filter(q -> q.contains("sendInitialEvents"))).hasSize(1);
        assertThat(failures).isEmpty();
    }

    static Stream<Fault> expiries() {
        return Stream.of(
                Fault.status(410, "Expired", "too old resource version"),
                new Fault.Answer(200, Map.of(),
                        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Gone\"}}"),
                new Fault.Delay(Duration.ZERO)); // then the server itself finds it too old
    }

    @ParameterizedTest
    @MethodSource("expiries")
    void a_410_lists_again_and_loses_no_change_and_keeps_nothing_deleted(Fault expiry) {
        create("stays", "changes", "goes", "again");
        synced(SETTINGS);
        String uid = uid("again");
        whileCutOff(() -> {
            label("changes", "yes");
            delete("goes");
            delete("again");
            create("again", "comes");
            server.expire();
            server.fault(r -> r.query().contains("watch=true"), expiry);
        });

        untilAsserted(
                () -> assertThat(cached()).containsExactlyInAnyOrder("stays", "changes", "again", "comes"));
        until(() -> labelOf("changes").equals("yes"));
        assertThat(uid("again")).isNotEqualTo(uid);
        awaitTold("goes", "new", "gone");
        awaitTold("comes", "new");
        awaitTold("stays", "new");
        assertThat(failures).hasAtLeastOneElementOfType(ApiFailure.Expired.class);
        assertThat(cache.synced()).isTrue();
    }

    private String uid(String node) {
        return cache.all().stream().filter(n -> n.key().name().equals(node)).findFirst().orElseThrow().metadata().uid();
    }

    @Test
    void what_was_deleted_during_a_gap_is_told() {
        create("a", "b");
        synced(SETTINGS);
        whileCutOff(() -> delete("a"));

        awaitTold("a", "new", "gone");
        awaitTold("b", "new");
        assertThat(queries().stream().filter(q -> q.contains("sendInitialEvents"))).as("no list needed").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 60, 200})
    void a_watch_cut_inside_is_taken_up(int bytes) {
        create("a");
        synced(SETTINGS);
        whileCutOff(() -> {
            label("a", "1");
            create("b");
            server.fault(r -> r.query().contains("watch=true"), new Fault.Cut(bytes));
        });

        untilAsserted(() -> assertThat(cached()).containsExactlyInAnyOrder("a", "b"));
        awaitTold("a", "new", "changed");
        awaitTold("b", "new");
    }

    @Test
    void a_cut_is_told_when_the_next_watch_fails_too() {
        create("a");
        synced(SETTINGS);
        server.dropWatches();
        create("b");
        until(() -> cached().contains("b"));
        assertThat(failures).isEmpty();

        server.fault(1_000_000, ANY, new Fault.Cut(0));
        server.dropWatches();
        until(() -> !failures.isEmpty());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 60, 300})
    void initial_events_that_are_cut_come_by_another_way(int bytes) {
        create("a", "b", "c", "d");
        server.fault(WATCH_LIST, new Fault.Cut(bytes));
        synced(SETTINGS);

        assertThat(cached()).containsExactlyInAnyOrder("a", "b", "c", "d");
        assertThat(told("a")).containsExactly("new");
    }

    @Test
    void a_silent_connection_is_cut_and_taken_up_and_given_back() {
        server.close();
        server = FakeApiServer.start(Options.defaults().withBookmarkEvery(Duration.ofMinutes(5)));
        api = new ApiServer(new Fabric8Backend()
                .connect(new ClusterAccess(server.kubeconfig(), Optional.empty(), "reflector-test")));
        create("a");
        synced(silent(Duration.ofMillis(300), Duration.ofSeconds(20)));
        await().pollInterval(Duration.ofMillis(10)).until(() -> {
            time.pass(Duration.ofMillis(500));
            return server.requests().size() >= 4;
        });
        create("b");
        until(() -> cached().contains("b"));

        assertThat(queries().stream().filter(query -> !query.contains("watch=true")))
                .as("what is asked after a silence")
                .isNotEmpty().allMatch("limit=1"::equals);
        awaitOpenWatches(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 429, 500, 503})
    void a_refused_watch_is_asked_for_again_and_not_in_a_tight_loop(int code) {
        create("a");
        server.fault(1_000_000, ANY, Fault.status(code, "Because", "of the test"));
        started(SETTINGS);
        for (int tries = 1; tries <= 8; tries++) {
            Duration pause = awaitPause();
            assertThat(server.requests()).hasSize(tries);
            assertBackOff(pause, tries);
            time.pass(pause);
        }

        awaitPause();
        assertThat(failures).hasSize(9).allSatisfy(f -> assertThat(f.status().code()).isEqualTo(code));
        server.clearFaults();
        until(() -> cached().contains("a"));
    }

    @Test
    void retry_after_is_waited_for() {
        create("a");
        server.fault(ANY, Fault.tooManyRequests(20));
        started(SETTINGS);
        assertThat(awaitPause()).isBetween(Duration.ofSeconds(16), Duration.ofSeconds(25)); // jittered

        assertThat(server.requests()).hasSize(1);
        until(cache::synced);
        assertThat(server.requests()).hasSize(2);
    }

    @Test
    void order_holds_per_object_however_often_the_watch_is_cut() {
        List<String> names = IntStream.range(0, 5).mapToObj(i -> "n" + i).toList();
        names.forEach(this::create);
        synced(SETTINGS);
        for (int i = 1; i <= 200; i++) {
            label(names.get(i % 5), Integer.toString(i));
            time.passWait();
            if (i % 40 == 0) {
                server.dropWatches();
            }
            if (i == 100) {
                server.expire();
            }
        }

        untilAsserted(() -> IntStream.range(0, 5)
                .forEach(i -> assertThat(labelOf("n" + i)).isEqualTo(Integer.toString(i == 0 ? 200 : 195 + i))));
        Map<String, Integer> last = new HashMap<>();
        assertThat(changes).allSatisfy(change -> {
            int value = Integer.parseInt(change.after().metadata().labels().getOrDefault("x", "0"));
            Integer before = last.put(change.after().key().name(), value);
            assertThat(value).isGreaterThan(before == null ? -1 : before);
        });
    }

    @Test
    void a_heartbeat_is_told_to_nobody() {
        create("a");
        synced(SETTINGS);
        for (int i = 0; i < 20; i++) {
            server.mergePatch("nodes", "", "a",
                    json("{'status':{'conditions':[{'type':'Ready','status':'True','message':'" + i + "'}]}}"));
        }
        create("last");
        until(() -> cached().contains("last"));

        assertThat(told("a")).containsExactly("new");
        assertThat(cache.all()).anySatisfy(n -> assertThat(n.metadata().resourceVersion())
                .isEqualTo(server.get("nodes", "", "a").orElseThrow().at("/metadata/resourceVersion").asText()));
    }
}
