package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.Hop;
import io.nodeward.core.runtime.cluster.TaintWriter;
import io.nodeward.core.runtime.status.Blocked;
import java.util.List;
import java.util.Set;

/** Where an object stands, as far as taints that others declare for it are concerned. */
sealed interface Situation {
    /**
     * Nobody declares anything for it, or it is gone.
     *
     * @param reason why
     */
    record NotOurs(String reason) implements Situation {}

    /**
     * An event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements Situation {}

    /** Somebody must put something right first. */
    record Stuck(Declarer declarer, String name, Blocked by) implements Situation {}

    /** @param expected what somebody else is to put there: see {@link io.nodeward.core.rules.topology.Carry} */
    record Ready(
            Declarer declarer, Hop hop, List<MachineTaint> wanted, Set<TaintId> expected, TaintWriter.At at)
            implements Situation {}
}
