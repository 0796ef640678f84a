package io.nodeward.core.runtime.status;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;

/** Logs a problem once, as long as it lasts, and its end. */
public final class LogOnce {
    private final Logger log;
    private final Map<Object, Object> last = new ConcurrentHashMap<>();

    /** @param log of the one that has the problems */
    public LogOnce(Logger log) {
        this.log = log;
    }

    public void warn(String about, String message) {
        if (isNews(about, message)) {
            log.warn("{}: {}", about, message);
        }
    }

    /** What may be no problem. */
    public void info(String about, String message) {
        if (isNews(about, message)) {
            log.info("{}: {}", about, message);
        }
    }

    public void resolved(String about) {
        if (last.remove(about) != null) {
            log.info("{}: as it should be again", about);
        }
    }

    /** Whether the problem is another than the last of this object, for what the caller logs itself. */
    public boolean isNews(Object about, Object problem) {
        return !problem.equals(last.put(about, problem));
    }

    /** There is no problem any more, and nothing is logged of it. */
    public void forget(Object about) {
        last.remove(about);
    }
}
