package io.nodeward.autoscaler.adapter;

import io.nodeward.autoscaler.adapter.CapacityWrite.Left;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Texts that no message holds. Each is logged once for its group. */
final class UnsaidTexts {
    private static final Logger LOG = LoggerFactory.getLogger(UnsaidTexts.class);

    private final Map<NodeGroupKey, List<String>> logged = new ConcurrentHashMap<>();

    /** @param left all that is left to others now */
    void log(NodeGroupKey key, List<Left> left) {
        List<Left> unsaid = left.stream().filter(one -> !one.unsaid().isEmpty()).toList();
        List<String> texts = unsaid.stream().map(Left::unsaid).toList();
        List<String> before = texts.isEmpty() ? logged.remove(key) : logged.put(key, texts);
        if (!texts.isEmpty() && !texts.equals(before)) {
            unsaid.forEach(one -> LOG.atWarn()
                    .addKeyValue(key.kind().text(), key.object())
                    .addKeyValue("reason", one.blocked().reason())
                    .log("set it there to: " + one.unsaid()));
        }
    }

    void forget(NodeGroupKey key) {
        logged.remove(key);
    }
}
