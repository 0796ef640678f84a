package io.nodeward.core.runtime.cache;

import static io.nodeward.core.runtime.cache.ScriptedTransport.event;
import static io.nodeward.core.runtime.cache.ScriptedTransport.initialEventsEnd;
import static io.nodeward.core.runtime.cache.ScriptedTransport.list;
import static io.nodeward.core.runtime.cache.ScriptedTransport.says;
import static io.nodeward.core.runtime.cache.ScriptedTransport.watch;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ScriptedTransport.Step;
import io.nodeward.core.runtime.cache.ScriptedTransport.Then;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose etcd is restored from a backup, so that its resourceVersions go back. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RestoredServerTest extends ReflectorFixture {
    private static final Step DOWN = says(503, "{'kind':'Status','code':503,'message':'starting'}", Then.END);
    private static final Step GONE = says(410, "{'kind':'Status','code':410,'reason':'Expired'}", Then.END);
    private static final Step SILENCE = watch(Then.SILENCE);

    /** Two Nodes, the newest version is 120. */
    private final Step before =
            atItsTime(event("ADDED", "a", 100), event("ADDED", "b", 110), initialEventsEnd(120));

    private ScriptedTransport wire;

    @Override
    ApiServer api() {
        return new ApiServer(wire);
    }

    private void script(Step... answers) {
        wire = new ScriptedTransport(answers);
        started(SETTINGS);
    }

    /** The version of each Node in the cache. */
    private Map<String, String> held() {
        return cache.all().stream().collect(
                Collectors.toMap(node -> node.key().name(), node -> node.metadata().resourceVersion()));
    }

    private void awaitCalls(int count) {
        until(() -> {
            if (wire.silent() && wire.calls.size() < count) {
                time.pass(Duration.ofSeconds(5));
            }
            return wire.calls.size() >= count;
        });
    }

    /** The lists among the requests; none of them may be answered from what a replica saw last. */
    private long lists() {
        assertThat(wire.calls).filteredOn(call -> !call.contains("watch=true")).isNotEmpty()
                .noneMatch(call -> call.contains("resourceVersion"));
        return wire.calls.stream().filter(call -> !call.contains("watch=true")).count();
    }

    @Test
    void after_an_outage_two_lists_that_are_older_than_the_watch_replace_the_cache() {
        Step restored = list(50, "a", "c");
        script(before, DOWN, list(50), restored, restored, SILENCE);
        awaitCalls(6);

        assertThat(held()).containsExactlyInAnyOrderEntriesOf(Map.of("a", "50", "c", "50"));
        assertThat(wire.calls.get(2)).contains("limit=1").doesNotContain("resourceVersion");
        assertThat(wire.calls.get(5)).contains("watch=true", "resourceVersion=50");
        assertThat(lists()).isEqualTo(3);
        assertThat(told("b")).containsExactly("new", "gone");
    }

    @Test
    void a_watch_that_says_nothing_is_a_reason_to_ask() {
        Step restored = list(50, "a");
        script(before, SILENCE, list(50), restored, restored, SILENCE);
        awaitCalls(6);

        assertThat(held()).isEqualTo(Map.of("a", "50"));
    }

    /** A server that stops ends its watches in good order; the next request may reach one that has been restored. */
    @ParameterizedTest
    @EnumSource(Then.class)
    void a_watch_that_ends_before_its_time_is_a_reason_to_ask(Then end) {
        Step restored = list(50, "a");
        script(before, watch(end, event("MODIFIED", "a", 125)), list(50), restored, restored, SILENCE);
        awaitCalls(6);

        assertThat(held()).isEqualTo(Map.of("a", "50"));
        assertThat(wire.calls.get(2)).contains("limit=1").doesNotContain("watch=true");
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void a_watch_that_ends_before_its_time_costs_one_request_more(Then end) {
        script(before, watch(end, event("MODIFIED", "a", 125)), list(125), SILENCE);
        awaitCalls(4);

        assertThat(lists()).isOne();
        assertThat(wire.calls.get(3)).contains("watch=true", "resourceVersion=125");
        assertThat(held()).isEqualTo(Map.of("a", "125", "b", "110"));
    }

    @Test
    void a_watch_that_ends_at_its_time_costs_no_request_more() {
        script(before, atItsTime(event("MODIFIED", "a", 125)), atItsTime(), SILENCE);
        awaitCalls(4);

        assertThat(wire.calls).hasSize(4).allMatch(call -> call.contains("watch=true"));
        assertThat(wire.calls.get(3)).contains("resourceVersion=125");
    }

    @Test
    void an_event_that_is_older_than_the_watch_is_a_reason_to_ask() {
        Step restored = list(70, "a");
        script(before, watch(Then.SILENCE, event("MODIFIED", "a", 60)), list(70), restored, restored, SILENCE);
        awaitCalls(6);

        assertThat(held()).isEqualTo(Map.of("a", "70"));
    }

    @Test
    void an_event_that_is_older_than_the_watch_does_not_take_it_back() {
        script(before, watch(Then.SILENCE, event("ADDED", "c", 60)), list(130), SILENCE);
        awaitCalls(4);

        assertThat(wire.calls.get(3)).contains("watch=true", "resourceVersion=120");
        assertThat(held()).containsEntry("c", "60");
    }

    @Test
    void after_an_outage_a_watch_goes_on_if_the_server_is_no_older() {
        script(before, DOWN, list(120), SILENCE);
        awaitCalls(4);

        assertThat(wire.calls.get(3)).contains("watch=true", "resourceVersion=120");
        assertThat(held()).isEqualTo(Map.of("a", "100", "b", "110"));
    }

    /** The restored server has come further than the cache: it has again, older, what was written before. */
    @Test
    void a_list_with_an_object_older_than_the_one_held_is_confirmed_by_another() {
        Step restored = says(200, "{'metadata':{'resourceVersion':'300'},'items':[{'metadata':{'name':'a',"
                + "'resourceVersion':'60'}},{'metadata':{'name':'b','resourceVersion':'290'}}]}", Then.END);
        script(before, GONE,
                watch(Then.SILENCE, event("ADDED", "a", 60), event("ADDED", "b", 290), initialEventsEnd(300)),
                restored, restored, SILENCE);
        awaitCalls(6);

        assertThat(held()).isEqualTo(Map.of("a", "60", "b", "290"));
        assertThat(wire.calls.get(2)).contains("sendInitialEvents=true").doesNotContain("resourceVersion=");
        assertThat(wire.calls.get(5)).contains("resourceVersion=300");
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 119})
    void one_list_that_is_older_takes_nothing_away(int version) {
        script(before, DOWN, list(version), list(130, "a", "b", "c"), SILENCE);
        awaitCalls(5);

        assertThat(held()).isEqualTo(Map.of("a", "130", "b", "130", "c", "130"));
        assertThat(told("a")).containsExactly("new", "changed");
        assertThat(told("b")).containsExactly("new", "changed");
    }

    @Test
    void an_object_that_was_written_while_the_list_came_is_no_contradiction() {
        Step list = watch(Then.SILENCE, event("ADDED", "a", 100), event("ADDED", "b", 125), initialEventsEnd(125));
        script(before, GONE, call -> {
            cache.put(node("a").withResourceVersion("130"));
            return list.to(call);
        });
        until(() -> wire.calls.size() == 3 && wire.silent());

        assertThat(held()).isEqualTo(Map.of("a", "130", "b", "125"));
        assertThat(wire.calls).hasSize(3);
    }

    @Test
    void an_own_write_to_what_was_held_before_counts_as_new() {
        Step restored = list(50, "a", "b");
        script(before, DOWN, list(50), restored, call -> {
            Node before = node("a");
            assertThat(cache.recordOwnWrite(before, before, before.withResourceVersion("51"))).isPresent();
            return restored.to(call);
        }, SILENCE);
        awaitCalls(6);

        assertThat(held()).isEqualTo(Map.of("a", "51", "b", "50"));
    }

    private Node node(String name) {
        return cache.get(ObjectKey.clusterScoped(name)).orElseThrow();
    }
}
