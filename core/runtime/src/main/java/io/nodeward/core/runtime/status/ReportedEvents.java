package io.nodeward.core.runtime.status;

import io.nodeward.api.core.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The Warning Events that one reporter has on objects: one for each new message, however often it is reported. Once it is over it is
 * forgotten: should it come back, it is news.
 *
 * @param <K> what the reporter knows an object by
 */
final class ReportedEvents<K> {
    private final EventRecorder events;
    private final Map<K, Reported> reported = new ConcurrentHashMap<>();

    /** @param messages by reason */
    private record Reported(String uid, Map<String, String> messages) {}

    ReportedEvents(EventRecorder events) {
        this.events = events;
    }

    /** @param messages all that is wrong now, by reason */
    void report(K object, Event.Regarding regarding, Map<String, String> messages) {
        if (messages.isEmpty()) {
            end(object);
            return;
        }
        Map<String, String> current = new HashMap<>();
        messages.forEach((reason, message) -> current.put(reason, EventRecorder.shortened(message)));
        Reported before = reported.put(object, new Reported(regarding.uid(), Map.copyOf(current)));
        Map<String, String> news = new HashMap<>(current);
        if (before != null && before.uid.equals(regarding.uid())) {
            news.entrySet().removeAll(before.messages.entrySet());
        }
        news.forEach((reason, message) -> events.warn(regarding, reason, message));
    }

    /** Nothing is wrong any more, or the object is gone. */
    void end(K object) {
        reported.remove(object);
    }

    /** How many objects have Events. */
    int size() {
        return reported.size();
    }
}
