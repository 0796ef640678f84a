package io.nodeward.core.rules.toleration;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Optional;

/**
 * Whether the taints of a Node let a pod onto it. How long they are tolerated plays no part.
 *
 * @param scheduling the first taint, in the Node's order, for which the scheduler keeps the pod off
 * @param admission likewise for which the kubelet refuses it, however it got there
 */
public record NodeFit(Optional<Taint> scheduling, Optional<Taint> admission) {
    /** Of a pod from the API server; taints with an effect nobody knows keep nothing off. */
    public static NodeFit of(List<Taint> taints, List<Toleration> tolerations, Tolerance tolerance) {
        Optional<Taint> scheduling = Optional.empty();
        for (Taint taint : taints) {
            if (!keepsOff(taint) || tolerance.first(tolerations, taint).isPresent()) {
                continue;
            }
            scheduling = scheduling.or(() -> Optional.of(taint));
            if (Tolerance.isNoExecute(taint)) {
                return new NodeFit(scheduling, Optional.of(taint));
            }
        }
        return new NodeFit(scheduling, Optional.empty());
    }

    public boolean schedulable() {
        return scheduling.isEmpty();
    }

    /** Whether the kubelet starts it; static pods start in any case, so nobody asks for them. */
    public boolean admitted() {
        return admission.isEmpty();
    }

    /** The taint as people write it: {@code key[=value]:effect}. */
    public static String text(Taint taint) {
        return taint.key() + (taint.value().isEmpty() ? "" : "=" + taint.value()) + ":" + taint.effect();
    }

    private static boolean keepsOff(Taint taint) {
        return taint.effect().equals("NoSchedule") || Tolerance.isNoExecute(taint);
    }
}
