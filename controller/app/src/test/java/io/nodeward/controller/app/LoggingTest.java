package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.joran.spi.JoranException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class LoggingTest {
    private static final String FORGED = "no\r\n2026 ERROR \u001b[2Jforged\u0085\u009b\u2028\u2029\u202e";

    @Test
    void a_text_of_a_server_makes_no_line_of_its_own_and_moves_no_cursor() throws Exception {
        LoggerContext context = context("text");
        LoggingEvent event = event(context, null);
        event.setKeyValuePairs(List.of(new KeyValuePair("Node", "a\nb")));

        String line = encoded(context, "text", event);

        assertThat(line).contains("422 Invalid: no  2026 ERROR  [2Jforged     ", "Node=\"a b\"")
                .endsWith(System.lineSeparator());
        assertThat(line.strip()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");
    }

    @Test
    void a_text_in_an_exception_makes_no_line_that_no_stack_trace_has() throws Exception {
        LoggerContext context = context("text");
        IllegalStateException fault =
                new IllegalStateException(FORGED, new IllegalArgumentException("\n2026 ERROR \n\tat forged"));

        String lines = encoded(context, "text", event(context, fault));

        assertThat(lines.split("\\R")).hasSizeGreaterThan(4).allSatisfy(line -> assertThat(line)
                .containsPattern("^(\t|Caused by: |java.lang.IllegalStateException: no  2026|[0-9-]{10}T)")
                .doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\\t]]"));
        assertThat(lines).contains("IllegalStateException: no  2026 ERROR  [2Jforged", "Caused by:",
                "IllegalArgumentException:  2026 ERROR").endsWith("\n");
    }

    @Test
    void json_escapes_what_may_end_a_line_or_move_a_cursor() throws Exception {
        LoggerContext context = context("json");

        String line = encoded(context, "json", event(context, new IllegalStateException(FORGED)));

        assertThat(line).endsWith("\n");
        assertThat(line.strip()).doesNotContainPattern("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]");
        assertThat(new ObjectMapper().readTree(line).path("message").asText()).endsWith(FORGED);
    }

    private static LoggerContext context(String format) throws JoranException {
        LoggerContext context = new LoggerContext();
        context.putProperty("nodeward.log.format", format);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Logging.class.getResource("/logback.xml"));
        return context;
    }

    private static LoggingEvent event(LoggerContext context, @Nullable Throwable fault) {
        LoggingEvent event = new LoggingEvent("", context.getLogger(Logger.ROOT_LOGGER_NAME), Level.WARN,
                "PATCH /api/v1/nodes/a: 422 Invalid: " + FORGED, fault, null);
        event.setMDCPropertyMap(Map.of("name", "m"));
        return event;
    }

    private static String encoded(LoggerContext context, String format, LoggingEvent event) {
        try {
            return new String(((ConsoleAppender<ILoggingEvent>) context.getLogger(Logger.ROOT_LOGGER_NAME)
                    .getAppender(format)).getEncoder().encode(event), StandardCharsets.UTF_8);
        } finally {
            context.stop();
        }
    }
}
