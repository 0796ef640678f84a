package io.nodeward.controller.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.core.joran.spi.JoranException;
import java.net.URL;
import java.util.Locale;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** What is logged, and how: to standard error, as text or as one JSON object a line. */
final class Logging {
    private static final Set<String> FORMATS = Set.of("text", "json");
    private static final Set<String> LEVELS = Set.of("error", "warn", "info", "debug");

    private Logging() {}

    /** @throws IllegalArgumentException naming the option */
    static void configure(String level, String format) {
        if (!LEVELS.contains(level.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("--log-level: '" + level + "' is not error, warn, info or debug");
        }
        if (!FORMATS.contains(format)) {
            throw new IllegalArgumentException("--log-format: '" + format + "' is not text or json");
        }
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            configure(context, format);
            context.getLogger("io.nodeward").setLevel(Level.toLevel(level));
        }
    }

    private static void configure(LoggerContext context, String format) {
        URL configuration = Logging.class.getResource("/logback.xml");
        if (format.equals("text") || configuration == null) {
            return; // text is what logging starts with
        }
        context.reset();
        context.putProperty("nodeward.log.format", format);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        try {
            configurator.doConfigure(configuration);
        } catch (JoranException e) {
            throw new IllegalArgumentException("--log-format: " + e.getMessage(), e);
        }
    }
}
