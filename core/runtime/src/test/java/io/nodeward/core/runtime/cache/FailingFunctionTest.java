package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What a cache does when an index or a map function that a controller gave it throws. */
class FailingFunctionTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d", "e");

    private final Logger logger = (Logger) LoggerFactory.getLogger(ObjectCache.class);
    private final Level level = logger.getLevel();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ObjectCache<Node> cache = new ObjectCache<>();
    private final List<String> told = new ArrayList<>();
    private boolean failing;

    @BeforeEach
    void listen() {
        log.start();
        logger.setAdditive(false);
        logger.setLevel(Level.ERROR);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setAdditive(true);
        logger.setLevel(level);
    }

    @Test
    void a_map_function_that_fails_keeps_a_change_from_no_other_controller() {
        cache.subscribe((before, after) -> fail());
        cache.subscribe((before, after) -> told.add(before == null ? "new" : after == null ? "gone" : "changed"));
        failing = true;
        cache.put(node("a", "1", "x"));
        cache.put(node("a", "2", "y"));
        cache.remove(node("a", "3", "y"));

        assertThat(told).containsExactly("new", "changed", "gone");
        assertThat(log.list).hasSize(3).allSatisfy(line -> {
            assertThat(line.getLevel()).isEqualTo(Level.ERROR);
            assertThat(line.getFormattedMessage()).startsWith("Node a: ").contains("fix");
            assertThat(line.getThrowableProxy().getMessage()).isEqualTo("planted");
        });
    }

    @Test
    void a_map_function_that_fails_for_one_object_at_the_start_hears_of_all_others() {
        NAMES.forEach(name -> cache.put(node(name, "1", "x")));
        cache.subscribe((before, after) -> {
            failing = after != null && after.key().name().equals("c");
            fail();
            told.add(String.valueOf(after == null ? null : after.key().name()));
        });

        assertThat(told).containsExactlyInAnyOrder("a", "b", "d", "e");
        assertThat(log.list).extracting(ILoggingEvent::getLevel).containsExactly(Level.ERROR);
        assertThat(log.list.getFirst().getFormattedMessage()).startsWith("Node c: ");
    }

    @Test
    void an_object_that_an_index_fails_for_changes_nothing_and_is_a_change_when_it_is_put_again() {
        List<Index<Node>> indexes =
                NAMES.stream().map(name -> new Index<Node>(name, FailingFunctionTest::label)).toList();
        Index<Node> bad = new Index<>("bad", node -> {
            fail();
            return label(node);
        });
        @SuppressWarnings({"unchecked", "rawtypes"})
        ObjectCache<Node> indexed = new ObjectCache<>(
                Stream.concat(Stream.of(bad), indexes.stream()).toArray(size -> new Index[size]));
        indexed.put(node("a", "1", "x"));
        indexed.subscribeToChanges((before, after) -> told.add(before == null ? "new" : "changed"));

        failing = true;
        Node next = node("a", "2", "y");
        Node other = node("b", "3", "y");
        assertThatThrownBy(() -> indexed.put(next)).hasMessage("planted");
        assertThatThrownBy(() -> indexed.put(other)).hasMessage("planted");
        assertThat(indexed.all()).extracting(node -> node.metadata().resourceVersion()).containsExactly("1");
        assertThat(indexes).allMatch(index -> indexed.count(index, "x") == 1 && indexed.count(index, "y") == 0);

        failing = false;
        indexed.put(next);
        indexed.put(other);
        assertThat(told).containsExactly("changed", "new");
        assertThat(indexes).allMatch(index -> indexed.count(index, "x") == 0 && indexed.count(index, "y") == 2);
    }

    private static List<String> label(Node node) {
        return List.copyOf(node.metadata().labels().values());
    }

    private void fail() {
        if (failing) {
            throw new IllegalStateException("planted");
        }
    }

    private static Node node(String name, String version, String label) {
        ObjectKey key = ObjectKey.clusterScoped(name);
        Metadata metadata = new Metadata(key, "uid-" + name, version, Map.of("l", label), Map.of(), List.of(), false);
        return new Node(metadata, "", List.of());
    }
}
