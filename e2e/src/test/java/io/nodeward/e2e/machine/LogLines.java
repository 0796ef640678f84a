package io.nodeward.e2e.machine;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What the controller logs until this is closed, kept instead of printed. */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.nodeward");
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private LogLines() {}

    static LogLines from(Level level) {
        LogLines lines = new LogLines();
        lines.setContext(lines.logger.getLoggerContext());
        lines.start();
        lines.logger.setLevel(level);
        lines.logger.setAdditive(false);
        lines.logger.addAppender(lines);
        return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
        seen.add(event.getKeyValuePairs() + " " + event.getFormattedMessage());
    }

    boolean mention(String text) {
        return count(text) > 0;
    }

    long count(String text) {
        return seen.stream().filter(line -> line.contains(text)).count();
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        logger.setAdditive(true);
        logger.setLevel(null);
    }
}
