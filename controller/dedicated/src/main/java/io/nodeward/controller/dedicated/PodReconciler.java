package io.nodeward.controller.dedicated;

import io.nodeward.api.core.Event;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.PodAdditions;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Optional;

/** Gives a pod that exists the tolerations of its groups. */
final class PodReconciler implements Reconciler<ObjectKey> {
    private static final ObjectKind POD = new ObjectKind("", "v1", "Pod", "pods", true);

    private final DedicatedScope scope;

    PodReconciler(DedicatedScope scope) {
        this.scope = scope;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CandidatePod> found = scope.caches().pods().get(key);
        if (found.isEmpty()) {
            return new Decision.Gone("the Pod does not exist");
        }
        CandidatePod pod = found.get();
        PodAdditions missing = scope.missing(pod);
        return missing.tolerations().isEmpty()
                ? new Decision.InEffect(target(pod), List.of())
                : new Decision.Change(target(pod),
                        ObjectChange.jsonPatch(POD, pod.metadata(), missing.patch(pod))
                                .seenIn(scope.caches().pods()),
                        missing, List.of(), Optional.empty());
    }

    private static Target target(CandidatePod pod) {
        return new Target(POD.resource(), new Event.Regarding("v1", POD.kind(), pod.key(), pod.metadata().uid(),
                pod.metadata().resourceVersion()), List.of(), pod.metadata().deleting());
    }
}
