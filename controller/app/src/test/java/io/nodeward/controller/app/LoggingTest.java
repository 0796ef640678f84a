package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LoggingTest {
    @Test
    void a_text_of_a_server_makes_no_line_of_its_own_and_moves_no_cursor() throws Exception {
        LoggerContext context = new LoggerContext();
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Logging.class.getResource("/logback.xml"));
        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        LoggingEvent event = new LoggingEvent(
                "", root, Level.WARN, "PATCH /api/v1/nodes/a: 422 Invalid: no\r\n2026 ERROR \u001b[2Jforged", null,
                null);
        event.setMDCPropertyMap(Map.of("name", "m"));
        event.setKeyValuePairs(List.of(new KeyValuePair("Node", "a\nb")));

        String line = new String(((ConsoleAppender<ILoggingEvent>) root.getAppender("text")).getEncoder().encode(event),
                StandardCharsets.UTF_8);

        assertThat(line).contains("422 Invalid: no  2026 ERROR  [2Jforged", "Node=\"a b\"")
                .endsWith(System.lineSeparator());
        assertThat(line.strip()).doesNotContainPattern("\\p{Cntrl}");
        context.stop();
    }
}
