package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.node.TaintId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The taints with the effect {@code NoExecute} that a list newly gets and that are carried to Nodes with running pods: to all of
 * them at once where somebody else carries them.
 */
public final class EvictingTaints {
    private EvictingTaints() {}

    /** What is wanted, with each of these as we have put it into the list, or left out. What is of others stays theirs. */
    public static List<MachineTaint> without(PropagationStep step, List<MachineTaint> wanted, TaintHolder found) {
        Map<TaintId, MachineTaint> live = TaintListPlanner.byId(found.taints());
        FieldOwnership ownership = new FieldOwnership(step, live.keySet(), found);
        return wanted.stream().flatMap(taint -> {
            Optional<MachineTaint> there = Optional.ofNullable(live.get(taint.id()));
            boolean contested = there.isPresent() && ownership.isOfOthers(taint.id());
            return evicts(taint, there) && !contested ? there.stream() : Stream.of(taint);
        }).toList();
    }

    private static boolean evicts(MachineTaint taint, Optional<MachineTaint> there) {
        return taint.effect().equals("NoExecute") && taint.propagation().equals(MachineTaint.ALWAYS)
                && there.filter(taint::equals).isEmpty();
    }
}
