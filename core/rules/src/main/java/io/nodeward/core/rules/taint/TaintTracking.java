package io.nodeward.core.rules.taint;

import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.MachineTaintRules;
import io.nodeward.core.rules.validation.NodeAcceptance;
import io.nodeward.core.rules.validation.UnusableEntries;
import io.nodeward.core.rules.validation.Warning;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads a Node's tracking annotation of taints. */
final class TaintTracking {
    private TaintTracking() {}

    /**
     * The taints the text says are owned. An entry that cannot be a taint we put there is not among them: it vanishes
     * with the next write, and Warnings name some of them. Blanks are part of an entry; empty entries say nothing.
     */
    static Set<TaintId> parse(String node, String annotation, String text, List<Warning> warnings) {
        Set<TaintId> owned = new HashSet<>();
        UnusableEntries unusable = new UnusableEntries(node, annotation);
        for (String entry : text.split(",")) {
            int colon = entry.indexOf(':');
            String key = entry.substring(0, Math.max(colon, 0));
            // A second colon ends up in the effect, which is then unknown.
            String effect = entry.substring(colon + 1);
            if (NodeAcceptance.isQualifiedName(key)
                    && NodeAcceptance.isEffect(effect)
                    && !MachineTaintRules.isReserved(key)) {
                owned.add(new TaintId(key, effect));
            } else {
                unusable.add(entry);
            }
        }
        warnings.addAll(unusable.warnings("names no taint that Nodeward manages"));
        return owned;
    }
}
