package io.nodeward.core.testkit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Every message that is logged while this is open, at every level, by SLF4J, java.util.logging or System.Logger. */
final class EveryLog implements AutoCloseable {
    private final Queue<String> messages = new ConcurrentLinkedQueue<>();
    private final Map<Logger, @Nullable Level> levels = new HashMap<>();
    private final Map<java.util.logging.Logger, java.util.logging.@Nullable Level> julLevels = new HashMap<>();
    private final List<ch.qos.logback.core.Appender<ILoggingEvent>> silenced = new ArrayList<>();
    private final Logger root;
    private final java.util.logging.Logger julRoot = java.util.logging.Logger.getLogger("");
    private final Slf4jMessages slf4j = new Slf4jMessages();
    private final JulMessages jul = new JulMessages();

    EveryLog() {
        if (!(LoggerFactory.getILoggerFactory() instanceof LoggerContext context)) {
            throw new AssertionError("the contract reads SLF4J's messages through Logback: put logback-classic on the"
                    + " test class path, and no other binding");
        }
        root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        context.getLoggerList().forEach(logger -> levels.put(logger, logger.getLevel()));
        levels.keySet().stream().filter(l -> l.getLevel() != null).forEach(l -> l.setLevel(Level.TRACE));
        root.iteratorForAppenders().forEachRemaining(silenced::add);
        silenced.forEach(root::detachAppender);
        slf4j.setContext(context);
        slf4j.start();
        root.addAppender(slf4j);
        LogManager.getLogManager().getLoggerNames().asIterator().forEachRemaining(this::openUp);
        openUp("");
        julRoot.addHandler(jul);
    }

    private void openUp(String name) {
        java.util.logging.Logger logger = java.util.logging.Logger.getLogger(name);
        julLevels.put(logger, logger.getLevel());
        if (logger.getLevel() != null) {
            logger.setLevel(java.util.logging.Level.ALL);
        }
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    @Override
    public void close() {
        julRoot.removeHandler(jul);
        julLevels.forEach(java.util.logging.Logger::setLevel);
        root.detachAppender(slf4j);
        silenced.forEach(root::addAppender);
        levels.forEach(Logger::setLevel);
    }

    private final class Slf4jMessages extends AppenderBase<ILoggingEvent> {
        @Override
        protected void append(ILoggingEvent event) {
            messages.add(event.getLoggerName() + ": " + event.getFormattedMessage() + event.getKeyValuePairs()
                    + event.getMDCPropertyMap() + ThrowableProxyUtil.asString(event.getThrowableProxy()));
        }
    }

    private final class JulMessages extends Handler {
        private final java.util.logging.Formatter format = new java.util.logging.SimpleFormatter();

        JulMessages() {
            setLevel(java.util.logging.Level.ALL);
        }

        @Override
        public void publish(LogRecord message) {
            messages.add(message.getLoggerName() + ": " + format.format(message));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
