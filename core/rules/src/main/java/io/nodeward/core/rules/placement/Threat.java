package io.nodeward.core.rules.placement;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A taint that evicts a pod from the Node it is on, or would.
 *
 * @param there whether the Node has it
 * @param toleration the one whose time counts; empty if nothing tolerates it
 * @param eviction because of this taint alone, counted from when the eviction controller sees both
 */
public record Threat(Taint taint, boolean there, Optional<Toleration> toleration, Eviction eviction) {
    private static final String NO_EXECUTE = "NoExecute";
    /** Set by the node lifecycle controller when a kubelet fails. */
    private static final List<Taint> FAILURES = List.of(
            Taint.of("node.kubernetes.io/not-ready", "", NO_EXECUTE),
            Taint.of("node.kubernetes.io/unreachable", "", NO_EXECUTE));

    /** Whether it is a taint that comes when a Node fails. */
    public boolean isFailure() {
        return FAILURES.stream().anyMatch(failure -> failure.id().equals(taint.id()));
    }

    /**
     * Those there are, those that are about to come, and those that come should the Node fail, in this order.
     *
     * @param coming declared for the Node, and due
     */
    public static List<Threat> of(
            List<Taint> there, List<Taint> coming, List<Toleration> tolerations, Tolerance tolerance) {
        List<Taint> taints = new ArrayList<>();
        List<Threat> threats = new ArrayList<>();
        for (List<Taint> some : List.of(there, coming, FAILURES)) {
            for (Taint taint : some) {
                boolean known = taints.stream().anyMatch(other -> other.id().equals(taint.id()));
                if (taint.effect().equals(NO_EXECUTE) && !known) {
                    taints.add(taint);
                    threats.add(new Threat(taint, some == there, tolerance.first(tolerations, taint),
                            Eviction.of(List.of(taint), tolerations, tolerance)));
                }
            }
        }
        return threats;
    }
}
