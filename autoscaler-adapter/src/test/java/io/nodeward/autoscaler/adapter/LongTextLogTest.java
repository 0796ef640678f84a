package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.autoscaler.adapter.CapacityWrite.FieldConflict;
import io.nodeward.core.runtime.status.Blocked;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LongTextLogTest {
    private static final NodeGroupKey KEY = new NodeGroupKey(NodeGroupKind.MACHINE_SET, new ObjectKey("fleet", "g"));
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(LongTextLog.class);

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final LongTextLog longTexts = new LongTextLog();

    @BeforeEach
    void listen() {
        LOG.setLevel(Level.WARN);
        lines.start();
        LOG.addAppender(lines);
    }

    @AfterEach
    void leave() {
        LOG.detachAppender(lines);
        LOG.setLevel(null);
    }

    @Test
    void a_text_that_no_message_holds_is_logged_once_and_again_when_it_has_been_gone() {
        longTexts.log(KEY, List.of(conflict("long"), conflict("")));
        longTexts.log(KEY, List.of(conflict("long")));
        assertThat(lines.list).singleElement()
                .satisfies(line -> assertThat(line.getFormattedMessage()).isEqualTo("set it there to: long"));

        longTexts.log(KEY, List.of());
        longTexts.log(KEY, List.of(conflict("long")));
        assertThat(lines.list).hasSize(2);
    }

    @Test
    void another_text_of_the_group_is_logged_and_so_is_one_of_a_group_made_anew() {
        longTexts.log(KEY, List.of(conflict("long")));
        longTexts.log(KEY, List.of(conflict("longer")));
        assertThat(lines.list).hasSize(2);

        longTexts.forget(KEY);
        longTexts.log(KEY, List.of(conflict("longer")));
        assertThat(lines.list).hasSize(3);
    }

    private static FieldConflict conflict(String text) {
        return new FieldConflict(new Blocked("CapacityAppliedByOther", "see the log"), text);
    }
}
