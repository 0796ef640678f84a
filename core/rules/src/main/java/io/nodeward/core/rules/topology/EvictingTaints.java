package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The taints with the effect {@code NoExecute} that a list newly gets and that are carried to Nodes with running pods: to all of
 * them at once where somebody else carries them.
 */
public final class EvictingTaints {
    private EvictingTaints() {}

    /** What is wanted, with each of these as it is in the list by now, or left out. */
    public static List<MachineTaint> without(List<MachineTaint> wanted, List<MachineTaint> list) {
        return wanted.stream().flatMap(taint -> {
            Optional<MachineTaint> there = list.stream().filter(each -> each.id().equals(taint.id())).findFirst();
            return evicts(taint, there) ? there.stream() : Stream.of(taint);
        }).toList();
    }

    private static boolean evicts(MachineTaint taint, Optional<MachineTaint> there) {
        return taint.effect().equals("NoExecute") && taint.propagation().equals(MachineTaint.ALWAYS)
                && there.filter(taint::equals).isEmpty();
    }
}
