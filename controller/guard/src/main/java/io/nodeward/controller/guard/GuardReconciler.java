package io.nodeward.controller.guard;

import io.nodeward.api.guard.NodeTaintGuard;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.guard.GuardFaults;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Optional;

/** Decides what the policy and the binding of a NodeTaintGuard need. What a guard with a fault declared before stays in force. */
record GuardReconciler(ObjectCache<CustomResource<NodeTaintGuard>> guards, GuardObjects objects)
        implements
        Reconciler<ObjectKey> {
    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<NodeTaintGuard>> found =
                guards.get(key).filter(guard -> !guard.metadata().deleting());
        if (found.isEmpty()) {
            return new Decision.Gone("the NodeTaintGuard does not exist, or is being deleted");
        }
        Target target = Target.of(NodeTaintGuard.DEFINITION, found.get());
        List<String> faults = GuardFaults.of(found.get().spec());
        if (!faults.isEmpty()) {
            return new Decision.Blocked(target, new Blocked(Reason.INVALID, String.join("; ", faults)), true);
        }
        return objects.next(found.get())
                .<Decision>map(change -> new Decision.Change(
                        target, change, found.get().spec(), List.of(), Optional.empty()))
                .orElseGet(() -> new Decision.InEffect(target, List.of()));
    }
}
