package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The objects that one reporter has Warning Events on, to forget what the Events said once it is over: should it come back,
 * it is news.
 *
 * @param <K> what the reporter knows an object by
 */
public final class ReportedEvents<K> {
    private final String source;
    private final EventRecorder events;
    private final Map<K, Event.Regarding> reported = new ConcurrentHashMap<>();

    /** @param source tells reporters of one object apart, for example {@code machine} */
    public ReportedEvents(String source, EventRecorder events) {
        this.source = source;
        this.events = events;
    }

    /** @param messages all that is wrong now, by reason */
    public void report(K object, Event.Regarding regarding, Map<String, String> messages) {
        if (messages.isEmpty()) {
            end(object);
            return;
        }
        reported.put(object, regarding);
        events.report(source, regarding, messages);
    }

    /** Nothing is wrong any more, or the object is gone. */
    public void end(K object) {
        Event.Regarding regarding = reported.remove(object);
        if (regarding != null) {
            events.report(source, regarding, Map.of());
        }
    }

    /** How many objects have Events. */
    public int size() {
        return reported.size();
    }
}
