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
        if (!message.equals(last.put(about, message))) {
            LOG.warn("{}: {}", about, message);
        }
    }

    void resolved(String about) {
        if (last.remove(about) != null) {
            LOG.info("{}: as it should be again", about);
        }
    }
}
