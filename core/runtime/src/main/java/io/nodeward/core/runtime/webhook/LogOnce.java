package io.nodeward.core.runtime.webhook;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs a problem once, as long as it lasts, and its end. */
final class LogOnce {
    private static final Logger LOG = LoggerFactory.getLogger(LogOnce.class);

    private final Map<String, String> last = new ConcurrentHashMap<>();

    void warn(String about, String message) {
        if (isNew(about, message)) {
            LOG.warn("{}: {}", about, message);
        }
    }

    /** What may be no problem. */
    void info(String about, String message) {
        if (isNew(about, message)) {
            LOG.info("{}: {}", about, message);
        }
    }

    private boolean isNew(String about, String message) {
        return !message.equals(last.put(about, message));
    }

    void resolved(String about) {
        if (last.remove(about) != null) {
            LOG.info("{}: as it should be again", about);
        }
    }
}
