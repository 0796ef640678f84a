package io.nodeward.core.runtime.cache;

import static io.nodeward.core.runtime.cache.ScriptedTransport.bookmark;
import static io.nodeward.core.runtime.cache.ScriptedTransport.event;
import static io.nodeward.core.runtime.cache.ScriptedTransport.initialEventsEnd;
import static io.nodeward.core.runtime.cache.ScriptedTransport.list;
import static io.nodeward.core.runtime.cache.ScriptedTransport.says;
import static io.nodeward.core.runtime.cache.ScriptedTransport.watch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ScriptedTransport.Step;
import io.nodeward.core.runtime.cache.ScriptedTransport.Then;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** The reflector on a wire that misbehaves exactly as written. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ReflectorWireTest extends ReflectorFixture {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String GONE =
            "{'kind':'Status','code':410,'reason':'Expired','message':'too old resource version'}";
    private static final String GONE_EVENT = "{'type':'ERROR','object':" + GONE + "}";

    private ScriptedTransport wire;

    @Override
    ApiServer api() {
        return new ApiServer(wire);
    }

    private void script(Step... answers) {
        wire = new ScriptedTransport(answers);
    }

    private String call(int index) {
        until(() -> wire.calls.size() > index);
        return wire.calls.get(index);
    }

    /** As {@link #call}; where the wire is silent, time passes as well. */
    private String callAfterSilence(int index) {
        until(() -> {
            if (wire.silent()) {
                time.pass(SHORT);
            }
            return wire.calls.size() > index;
        });
        return wire.calls.get(index);
    }

    @Test
    void a_watch_goes_on_from_the_last_bookmark() {
        script(
                atItsTime(event("ADDED", "a", 5), initialEventsEnd(10), event("MODIFIED", "a", 12), bookmark(50)),
                watch(Then.SILENCE));
        started(SETTINGS);

        assertThat(call(1)).contains("watch=true", "resourceVersion=50").doesNotContain("sendInitialEvents");
        assertThat(cached()).containsExactly("a");
    }

    @Test
    void an_event_without_a_resource_version_does_not_lose_the_place() {
        String bare = "{'type':'MODIFIED','object':{'metadata':{'name':'a','labels':{'v':'x'}}}}";
        script(atItsTime(event("ADDED", "a", 5), initialEventsEnd(10), bare), watch(Then.SILENCE));
        started(SETTINGS);

        assertThat(call(1)).contains("resourceVersion=10");
    }

    static Stream<Arguments> ignored() {
        return Stream.of(
                ignored("silence after what is there", time -> watch(Then.SILENCE, event("ADDED", "a", 5))),
                ignored("a bookmark that ends nothing",
                        time -> watch(Then.SILENCE, event("ADDED", "a", 5), bookmark(6))),
                ignored("changes without a pause", time -> call -> changesForEver(time)));
    }

    private static Arguments ignored(String how, Function<ManualTime, Step> initial) {
        return Arguments.of(how, initial);
    }

    private static Response changesForEver(ManualTime time) {
        return new Response(200, Optional.empty(), new InputStream() {
            private final byte[] event =
                    (event("MODIFIED", "a", 5).replace('\'', '"') + "\n").getBytes(StandardCharsets.UTF_8);
            private volatile boolean closed;
            private int position;

            @Override
            public int read() throws IOException {
                if (closed) {
                    throw new IOException("closed");
                }
                if (position == event.length) {
                    position = 0;
                    time.pass(Duration.ofMillis(20));
                }
                return event[position++];
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                bytes[offset] = (byte) read();
                return 1;
            }

            @Override
            public void close() {
                closed = true;
            }
        });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("ignored")
    void a_server_that_ignores_watch_list_is_listed_and_not_asked_for_it_again(
            String how, Function<ManualTime, Step> initial) {
        script(initial.apply(time), list(20, "a", "b"), watch(Then.END, GONE_EVENT), list(30, "b"),
                watch(Then.SILENCE));
        long start = time.nanoTime();
        started(silent(LONG, SHORT));

        assertThat(call(0)).contains("sendInitialEvents=true");
        assertThat(callAfterSilence(1)).contains("limit=3").doesNotContain("watch=true");
        assertThat(Duration.ofNanos(time.nanoTime() - start)).isBetween(SHORT, LONG.dividedBy(2));
        assertThat(call(2)).contains("watch=true", "resourceVersion=20").doesNotContain("sendInitialEvents");
        assertThat(call(3)).contains("limit=3").doesNotContain("watch=true");
        assertThat(call(4)).contains("resourceVersion=30");
        assertThat(cached()).containsExactly("b");
    }

    @Test
    void a_connection_that_said_nothing_is_listed_once_and_trusted_with_watch_list_again() {
        script(
                watch(Then.SILENCE), list(20), watch(Then.END, GONE_EVENT),
                watch(Then.SILENCE, event("ADDED", "a", 25), initialEventsEnd(30)));
        started(silent(LONG, SHORT));

        assertThat(callAfterSilence(1)).contains("limit=3");
        assertThat(call(3)).contains("sendInitialEvents=true");
    }

    @Test
    void a_watch_that_says_nothing_is_cut_and_taken_up_where_it_was() {
        script(
                watch(Then.SILENCE, event("ADDED", "a", 5), initialEventsEnd(10)),
                list(10),
                watch(Then.SILENCE, event("MODIFIED", "a", 11)),
                list(11),
                watch(Then.SILENCE, event("MODIFIED", "a", 12)));
        started(silent(SHORT, LONG));

        assertThat(callAfterSilence(2)).contains("resourceVersion=10").doesNotContain("sendInitialEvents");
        assertThat(callAfterSilence(4)).contains("resourceVersion=11");
        assertThat(failures.get(0)).hasMessageContaining("no byte for 300 ms");
    }

    /** A server whose etcd reports no progress sends no bookmark. */
    @Test
    void watches_of_a_quiet_kind_are_cut_later_and_later_and_fail_for_nobody() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(Reflector.class);
        log.start();
        logger.addAppender(log);
        logger.setLevel(Level.DEBUG);
        Step silent = watch(Then.SILENCE);
        Step list = list(10);
        Step down = says(503, "{'kind':'Status','code':503,'message':'starting'}", Then.END);
        script(atItsTime(event("ADDED", "a", 5), initialEventsEnd(10)), silent, list, silent, list, silent, list,
                silent, list, watch(Then.SILENCE, event("MODIFIED", "a", 11)), list(11), silent, list(11), silent,
                down, list(11), silent, list(11), silent);
        started(silent(SHORT, LONG));
        try {
            callAfterSilence(9);
            assertThat(failures).isEmpty();
            callAfterSilence(13);
            assertThat(failures).hasSize(1);
            callAfterSilence(18);
            assertThat(failures).as("no answer from the server").hasSize(2);
            assertThat(log.list).filteredOn(line -> line.getFormattedMessage().contains("no byte"))
                    .extracting(line -> line.getLevel() + line.getFormattedMessage().replaceAll(".*for|;.*", ""))
                    .containsExactly("DEBUG 300 ms", "DEBUG 600 ms", "DEBUG 900 ms", "DEBUG 900 ms", "WARN 300 ms",
                            "DEBUG 300 ms", "DEBUG 600 ms", "DEBUG 300 ms");
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
    }

    static Stream<Arguments> cuts() {
        return Stream.of(
                Arguments.of("mid-event", "{'type':'MODIFIED','object':{'metadata':{'na", Then.CUT),
                Arguments.of("mid-event, in good order", "{'type':'MODIFIED','object':{'metadata':{'na", Then.END),
                Arguments.of("between events", "", Then.CUT),
                Arguments.of("malformed", "{'type':'MODIFIED','object':{'metadata':{{{", Then.SILENCE),
                Arguments.of("no JSON", "<html>504 Gateway Time-out</html>", Then.END),
                Arguments.of("unknown type", "{'type':'RENAMED','object':{}}", Then.SILENCE),
                Arguments.of("no object", "{'type':'ADDED'}", Then.SILENCE),
                Arguments.of("an array", "[1]", Then.SILENCE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cuts")
    void a_broken_watch_is_taken_up_after_the_last_whole_event(String how, String broken, Then then) {
        script(
                atItsTime(event("ADDED", "a", 5), initialEventsEnd(10)),
                watch(then, event("MODIFIED", "a", 11), broken),
                list(11),
                watch(Then.SILENCE, event("MODIFIED", "a", 12)));
        started(SETTINGS);

        assertThat(call(3)).contains("resourceVersion=11").doesNotContain("sendInitialEvents");
        untilAsserted(
                () -> assertThat(cache.all()).extracting(n -> n.metadata().resourceVersion()).containsExactly("12"));
        awaitTold("a", "new", "changed", "changed");
    }

    static Stream<Arguments> noLists() {
        return Stream.of(
                Arguments.of("cut",
                        says(200, "{'metadata':{'resourceVersion':'20'},'items':[{'metadata':{'name':'a','resource",
                                Then.CUT)),
                Arguments.of("ended early", says(200, "{'metadata':{'resourceVersion':'20'},'items':[", Then.END)),
                Arguments.of("another JSON", says(200, "{}", Then.END)),
                Arguments.of("no JSON", says(200, "<html>", Then.END)),
                Arguments.of("empty", says(200, "", Then.END)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("noLists")
    void what_is_no_whole_list_takes_nothing_away(String how, Step noList) {
        script(
                says(422, "{'kind':'Status','reason':'Invalid','message':'sendInitialEvents is forbidden'}", Then.END),
                list(10, "a", "b"), watch(Then.END, GONE_EVENT),
                noList,
                list(30, "a", "b"), watch(Then.SILENCE));
        started(SETTINGS);

        call(5);
        assertThat(told("a")).containsExactly("new");
        assertThat(told("b")).containsExactly("new");
        assertThat(cached()).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void a_page_token_that_expired_starts_the_list_over() {
        script(
                says(400, "{}", Then.END),
                says(200,
                        "{'metadata':{'resourceVersion':'20','continue':'next'},'items':[{'metadata':{'name':'a','resourceVersion':'9'}}]}",
                        Then.END),
                says(410, GONE, Then.END),
                list(30, "b"), watch(Then.SILENCE));
        synced(SETTINGS);

        assertThat(call(2)).contains("continue=next");
        assertThat(call(3)).contains("limit=3").doesNotContain("continue");
        assertThat(cached()).containsExactly("b");
        assertThat(told("a")).containsExactly("new", "gone");
    }

    @Test
    void a_watch_that_is_refused_from_where_it_was_starts_over() {
        script(
                atItsTime(event("ADDED", "a", 5), initialEventsEnd(10)),
                says(400, "{'kind':'Status','reason':'BadRequest','message':'invalid resource version'}", Then.END),
                watch(Then.SILENCE, event("ADDED", "b", 13), initialEventsEnd(14)));
        started(SETTINGS);

        assertThat(call(2)).contains("sendInitialEvents=true");
        until(() -> cached().equals(Set.of("b")));
    }

    static Stream<Arguments> loops() {
        return Stream.of(
                Arguments.of("ends each watch at once", new Step[]{
                        watch(Then.END, initialEventsEnd(10)), watches(watch(Then.END))}),
                Arguments.of("ends each watch after a bookmark", new Step[]{
                        watch(Then.END, initialEventsEnd(10)), watches(watch(Then.END, bookmark(11)))}),
                Arguments.of("ends each watch list at once", new Step[]{watch(Then.END)}),
                Arguments.of("cuts each watch after an event", new Step[]{
                        watch(Then.END, initialEventsEnd(10)), watches(watch(Then.CUT, event("ADDED", "a", 11)))}),
                Arguments.of("lists, and that is too old at once", new Step[]{
                        watch(Then.END, initialEventsEnd(10), GONE_EVENT)}),
                Arguments.of("asks to wait for nothing", new Step[]{
                        (Step) c -> new Response(429, Optional.of("0"), InputStream.nullInputStream())}));
    }

    /** Answers all watches so; a list has nothing new. */
    private static Step watches(Step answer) {
        return call -> (call.path().contains("watch=true") ? answer : list(11)).to(call);
    }

    /** That what is watched from is too old is expected once, and no reason to wait. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("loops")
    void a_server_is_not_hammered_that(String does, Step[] answers) {
        script(answers);
        started(SETTINGS);
        for (int pauses = 1; pauses <= 8; pauses++) {
            Duration pause = awaitPause();
            assertThat(wire.calls).filteredOn(call -> !call.contains("limit=1&") && !call.endsWith("limit=1"))
                    .hasSizeBetween(pauses, pauses + 1);
            assertThat(wire.calls).as("before each watch").hasSizeLessThanOrEqualTo(2 * pauses + 1);
            assertBackOff(pause, pauses);
            time.pass(pause);
        }
    }

    @Test
    void close_ends_a_watch_a_pause_and_a_call_without_an_answer() {
        assertEnds(watch(Then.SILENCE, initialEventsEnd(10)), () -> wire.silent());
        assertEnds(says(500, "{}", Then.END), () -> !time.waits().isEmpty());
        assertEnds(ScriptedTransport::hang, () -> wire.calls.size() == 1);
    }

    private void assertEnds(Step answer, Callable<Boolean> inIt) {
        script(answer);
        Reflector<Node> reflector =
                started(new ReflectorSettings(3, LONG, LONG, LONG, LONG, new Backoff(LONG, LONG)));
        await().until(inIt);
        reflector.close();

        assertThat(reflector.isAlive()).isFalse();
        assertThat(wire.calls).hasSize(1);
    }

    @Test
    void close_before_start_starts_nothing() {
        script(ScriptedTransport::hang);
        ListWatch<Node> source = new ListWatch<>("nodes", api(), NODES, "", false, Projection.NODE);
        Reflector<Node> reflector =
                new Reflector<>(source, cache, SETTINGS, timers, ReflectorFixture.recording(failures));
        reflector.close();
        reflector.start();

        assertThat(reflector.isAlive()).isFalse();
        assertThat(wire.calls).isEmpty();
    }
}
