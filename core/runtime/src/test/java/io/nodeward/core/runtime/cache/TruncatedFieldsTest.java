package io.nodeward.core.runtime.cache;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Of an object whose list is too long to be read whole nobody would know that something is missing. */
class TruncatedFieldsTest {
    private static final String LINE =
            "Pod ns/%s: spec.tolerations is longer than what is kept of one object, so it is not known whole; make it shorter";

    private final Logger logger = (Logger) LoggerFactory.getLogger(ObjectCache.class);
    private final Level level = logger.getLevel();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final ObjectCache<Pod> pods = new ObjectCache<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setAdditive(false);
        logger.setLevel(Level.WARN);
        logger.addAppender(log);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(log);
        logger.setAdditive(true);
        logger.setLevel(level);
    }

    @Test
    void a_list_that_is_not_read_whole_is_logged_once_for_each_object_and_not_for_each_event() {
        pods.put(pod("a", "1", true));
        pods.put(pod("a", "2", true));
        pods.put(pod("b", "3", false));
        pods.put(pod("c", "4", true));
        pods.put(pod("a", "5", true));
        assertThat(lines()).containsExactly(LINE.formatted("a"), LINE.formatted("c"));
    }

    @Test
    void it_is_logged_again_if_it_comes_again() {
        pods.put(pod("a", "1", true));
        pods.put(pod("a", "2", false));
        pods.put(pod("a", "3", true));
        assertThat(lines()).containsExactly(LINE.formatted("a"), LINE.formatted("a"));
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static Pod pod(String name, String version, boolean truncated) {
        Metadata metadata =
                new Metadata(new ObjectKey("ns", name), "uid", version, Map.of(), Map.of(), List.of(), false);
        return new Pod(metadata, "n", List.of(), "", "", truncated ? List.of("spec.tolerations") : List.of());
    }
}
