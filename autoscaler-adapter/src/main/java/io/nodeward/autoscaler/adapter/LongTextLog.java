package io.nodeward.autoscaler.adapter;

import io.nodeward.autoscaler.adapter.CapacityWrite.FieldConflict;
import io.nodeward.core.runtime.status.LogOnce;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs annotation texts that are too long for a condition or an Event, each once for its node group. */
final class LongTextLog {
    private static final Logger LOG = LoggerFactory.getLogger(LongTextLog.class);

    private final LogOnce logged = new LogOnce(LOG);

    /** @param conflicts all that is left to others now */
    void log(NodeGroupKey key, List<FieldConflict> conflicts) {
        List<FieldConflict> longOnes = conflicts.stream().filter(one -> !one.longText().isEmpty()).toList();
        if (longOnes.isEmpty()) {
            logged.forget(key);
        } else if (logged.isNews(key, longOnes.stream().map(FieldConflict::longText).toList())) {
            longOnes.forEach(one -> LOG.atWarn()
                    .addKeyValue(key.kind().text(), key.object())
                    .addKeyValue("reason", one.blocked().reason())
                    .log("set it there to: " + one.longText()));
        }
    }

    void forget(NodeGroupKey key) {
        logged.forget(key);
    }
}
