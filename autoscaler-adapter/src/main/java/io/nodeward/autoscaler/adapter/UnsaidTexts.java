package io.nodeward.autoscaler.adapter;

import io.nodeward.autoscaler.adapter.CapacityWrite.Left;
import io.nodeward.core.runtime.status.LogOnce;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Texts that no message holds. Each is logged once for its group. */
final class UnsaidTexts {
    private static final Logger LOG = LoggerFactory.getLogger(UnsaidTexts.class);

    private final LogOnce logged = new LogOnce(LOG);

    /** @param left all that is left to others now */
    void log(GroupKey key, List<Left> left) {
        List<Left> unsaid = left.stream().filter(one -> !one.unsaid().isEmpty()).toList();
        if (unsaid.isEmpty()) {
            logged.forget(key);
        } else if (logged.isNews(key, unsaid.stream().map(Left::unsaid).toList())) {
            unsaid.forEach(one -> LOG.atWarn()
                    .addKeyValue(key.kind().text(), key.object())
                    .addKeyValue("reason", one.blocked().reason())
                    .log("set it there to: " + one.unsaid()));
        }
    }

    void forget(GroupKey key) {
        logged.forget(key);
    }
}
