package com.example.nodequota;

import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Optional;

/** Decides whether a NodeQuota is kept. */
final class NodeQuotaReconciler implements Reconciler<ObjectKey> {
    private final NodeQuotaScope scope;

    NodeQuotaReconciler(NodeQuotaScope scope) {
        this.scope = scope;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<NodeQuota>> found = scope.quota(key);
        if (found.isEmpty()) {
            return new Decision.Gone("the NodeQuota does not exist");
        }
        Target target = Target.of(NodeQuota.DEFINITION, found.get());
        NodeQuota quota = found.get().spec();
        int count = scope.count(quota);
        return count > quota.nodes()
                ? new Decision.Blocked(target, new Blocked("QuotaExceeded",
                        count + " Nodes have the label " + quota.label() + ", and " + quota.nodes() + " may"), true)
                : new Decision.InEffect(target, List.of());
    }
}
