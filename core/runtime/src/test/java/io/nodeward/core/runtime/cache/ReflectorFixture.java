package io.nodeward.core.runtime.cache;

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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/** A reflector of Nodes, what it told its listener, and the failures it met. */
abstract class ReflectorFixture {
    static final Resource NODES = new Resource("", "v1", "nodes", false);
    static final Backoff QUICK = new Backoff(Duration.ofMillis(50), Duration.ofMillis(400));
    static final ReflectorSettings SETTINGS =
            new ReflectorSettings(3, Duration.ofSeconds(20), Duration.ofSeconds(20), Duration.ofMinutes(7), QUICK);

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** @param before null if it was new, {@code after} null if it is gone */
    record Change(Node before, Node after) {}

    final Timers timers = new Timers();
    final ObjectCache<Node> cache = new ObjectCache<>();
    final List<Change> changes = new CopyOnWriteArrayList<>();
    final List<ApiFailure> failures = new CopyOnWriteArrayList<>();
    private Reflector<Node> reflector;

    abstract ApiServer api();

    Reflector<Node> started(ReflectorSettings settings) {
        cache.subscribe((before, after) -> changes.add(new Change(before, after)));
        Source<Node> source = new Source<>("nodes", api(), NODES, "", false, Projection.NODE);
        reflector = new Reflector<>(source, cache, settings, timers, recording(failures));
        reflector.start();
        return reflector;
    }

    void halt() {
        reflector.halt();
    }

    Reflector<Node> synced(ReflectorSettings settings) {
        Reflector<Node> started = started(settings);
        await().until(cache::synced);
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

    static ReflectorSettings silent(Duration silence, Duration initialSilence) {
        return new ReflectorSettings(3, silence, initialSilence, Duration.ofMinutes(7), QUICK);
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
