package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.PropagationStep;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What is known of an object, as far as taints that others declare for it are concerned. */
sealed interface TopologyScope {
    /**
     * Nobody declares anything for it, or it is gone.
     *
     * @param reason why
     */
    record NotManaged(String reason) implements TopologyScope {}

    /**
     * An event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements TopologyScope {}

    /**
     * Somebody must put something right first.
     *
     * @param source the object that declares taints for it
     */
    record Stuck(Target source, Blocked by) implements TopologyScope {}

    /** @param expected what somebody else is to put there: see {@link io.nodeward.core.rules.topology.TaintListPlanner} */
    record Ready(Target source, PropagationStep step, List<MachineTaint> wanted, Set<TaintId> expected, TaintList list)
            implements TopologyScope {
        /** Returns the same, of which nothing is let go that the object has. */
        Ready withoutRemovals() {
            return new Ready(source, step, wanted, list.found().taints().stream().map(MachineTaint::id)
                    .collect(Collectors.toSet()), list);
        }
    }
}
