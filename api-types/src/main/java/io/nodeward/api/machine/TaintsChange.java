package io.nodeward.api.machine;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/**
 * One write to the declared taints of one object. It holds only on the resourceVersion it was planned from, so that it
 * neither makes an object anew that is gone nor takes away what others added meanwhile.
 *
 * @param apiVersion group and version, as {@code cluster.x-k8s.io/v1beta2}
 * @param taints with server-side apply the writer's own, with a merge patch all of them; empty for none
 */
public record TaintsChange(
        String apiVersion,
        String kind,
        ObjectKey key,
        String resourceVersion,
        TaintPlace place,
        List<MachineTaint> taints) {
    public TaintsChange {
        taints = List.copyOf(taints);
    }
}
