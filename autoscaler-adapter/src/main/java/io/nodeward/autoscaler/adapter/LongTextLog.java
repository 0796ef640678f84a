package io.nodeward.autoscaler.adapter;

import io.nodeward.autoscaler.adapter.CapacityWrite.FieldConflict;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs annotation texts that are too long for a condition or an Event, each once for its node group. */
final class LongTextLog {
    private static final Logger LOG = LoggerFactory.getLogger(LongTextLog.class);

    private final Map<NodeGroupKey, List<String>> logged = new ConcurrentHashMap<>();

    /** @param conflicts all that is left to others now */
    void log(NodeGroupKey key, List<FieldConflict> conflicts) {
        List<FieldConflict> longOnes = conflicts.stream().filter(one -> !one.longText().isEmpty()).toList();
        List<String> texts = longOnes.stream().map(FieldConflict::longText).toList();
        List<String> before = texts.isEmpty() ? logged.remove(key) : logged.put(key, texts);
        if (!texts.isEmpty() && !texts.equals(before)) {
            longOnes.forEach(one -> LOG.atWarn()
                    .addKeyValue(key.kind().text(), key.object())
                    .addKeyValue("reason", one.blocked().reason())
                    .log("set it there to: " + one.longText()));
        }
    }

    void forget(NodeGroupKey key) {
        logged.remove(key);
    }
}
