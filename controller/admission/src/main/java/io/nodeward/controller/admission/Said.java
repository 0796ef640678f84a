package io.nodeward.controller.admission;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is wrong, said once as long as it lasts. */
final class Said {
    private static final Logger LOG = LoggerFactory.getLogger(Said.class);

    private final Map<String, String> last = new ConcurrentHashMap<>();

    void warn(String about, String message) {
        if (!message.equals(last.put(about, message))) {
            LOG.warn("{}: {}", about, message);
        }
    }

    void over(String about) {
        if (last.remove(about) != null) {
            LOG.info("{}: as it should be again", about);
        }
    }
}
