package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;

/** A reflector of Nodes, what it told its listener, and the failures it met. */
abstract class ReflectorFixture {
    static final Resource NODES = new Resource("", "v1", "nodes", false);
    static final Backoff QUICK = new Backoff(Duration.ofMillis(50), Duration.ofMillis(400));
    static final ReflectorSettings SETTINGS =
            silent(Duration.ofSeconds(20), Duration.ofSeconds(20));

    /** Generous: only what will never come is waited for so long. */
    private static final Duration PATIENCE = Duration.ofSeconds(50);
    private static final Duration POLL = Duration.ofMillis(2);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** @param before null if it was new, {@code after} null if it is gone */
    record Change(Node before, Node after) {}

    /** Stands still but in the pauses of the reflector, see {@link #until}. */
    final ManualTime time = new ManualTime();
    final Timers timers = new Timers(time, time::nanoTime);
    final ObjectCache<Node> cache = new ObjectCache<>();
    final List<Change> changes = new CopyOnWriteArrayList<>();
    final List<ApiFailure> failures = new CopyOnWriteArrayList<>();
    private Reflector<Node> reflector;

    abstract ApiServer api();

    Reflector<Node> started(ReflectorSettings settings) {
        cache.subscribe((before, after) -> changes.add(new Change(before, after)));
        ListWatch<Node> source = new ListWatch<>("nodes", api(), NODES, "", false, Projection.NODE);
        reflector = new Reflector<>(source, cache, settings, timers, recording(failures));
        reflector.start();
        return reflector;
    }

    void halt() {
        reflector.halt();
    }

    /** Waits for it, and ends whatever pause the reflector makes meanwhile. */
    void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> {
            boolean met = condition.call();
            if (!met) {
                time.passWait();
            }
            return met;
        });
    }

    /** As {@link #until}. */
    void untilAsserted(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).pollInterval(POLL).untilAsserted(() -> {
            time.passWait();
            assertion.run();
        });
    }

    /** Waits for the reflector to make a pause and returns how long it is to be. */
    Duration awaitPause() {
        await().atMost(PATIENCE).pollInterval(POLL).until(() -> !time.waits().isEmpty());
        assertThat(time.waits()).hasSize(1);
        return time.waits().getFirst();
    }

    /** @param failures before this pause, at least; at most one more */
    static void assertBackOff(Duration pause, int failures) {
        assertThat(pause).isBetween(
                delay(failures).multipliedBy(8).dividedBy(10), delay(failures + 1).multipliedBy(12).dividedBy(10));
    }

    private static Duration delay(int failures) {
        Duration doubled = QUICK.first().multipliedBy(1L << Math.min(failures - 1, 10));
        return doubled.compareTo(QUICK.longest()) < 0 ? doubled : QUICK.longest();
    }

    Reflector<Node> synced(ReflectorSettings settings) {
        Reflector<Node> started = started(settings);
        until(cache::synced);
        return started;
    }

    @AfterEach
    void stopReflector() {
        if (reflector != null) {
            reflector.close();
        }
        api().close();
        timers.close();
    }

    Set<String> cached() {
        return cache.all().stream().map(n -> n.key().name()).collect(Collectors.toSet());
    }

    List<String> told(String node) {
        return changes.stream()
                .filter(c -> (c.after() != null ? c.after() : c.before()).key().name().equals(node))
                .map(c -> c.before() == null ? "new" : c.after() == null ? "gone" : "changed")
                .toList();
    }

    /** The cache holds a change before its listeners hear of it. */
    void awaitTold(String node, String... changes) {
        untilAsserted(() -> assertThat(told(node)).containsExactly(changes));
    }

    static ReflectorSettings silent(Duration silence, Duration initialSilence) {
        return new ReflectorSettings(
                3, silence, silence.multipliedBy(3), initialSilence, Duration.ofMinutes(7), QUICK);
    }

    /** A watch that brings these events and ends when its time is up. */
    ScriptedTransport.Step atItsTime(String... events) {
        return call -> {
            time.pass(SETTINGS.watchFor().multipliedBy(2));
            return ScriptedTransport.watch(ScriptedTransport.Then.END, events).to(call);
        };
    }

    /** JSON with single quotes. */
    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    static ReflectorListener recording(List<ApiFailure> failures) {
        return new ReflectorListener() {
            @Override
            public void failed(ApiFailure failure) {
                failures.add(failure);
            }
        };
    }
}
