package io.nodeward.controller.machine;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** Has the owner of many Nodes say that they wait for a confirmation. */
final class OwnerReconciler implements Reconciler<ObjectId> {
    private final NodeOwners owners;
    private final NoExecuteLimit<ObjectId, ObjectKey> limit;

    @Inject
    OwnerReconciler(NodeOwners owners, NoExecuteLimit<ObjectId, ObjectKey> limit) {
        this.owners = owners;
        this.limit = limit;
    }

    @Override
    public Decision reconcile(ObjectId owner) {
        Optional<Target> target = owners.target(owner);
        if (target.isEmpty()) {
            return new Decision.Gone("it does not exist");
        }
        return limit.stopped(owner)
                .<Decision>map(count -> new Decision.Blocked(target.get(), count.blocked(), true))
                .orElseGet(() -> new Decision.InEffect(target.get(), List.of()));
    }
}
