package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Optional;

/** Decides what the status of a DedicatedNodes shows, and by that what is in force of it. */
final class GroupReconciler implements Reconciler<ObjectKey> {
    private final DedicatedScope scope;
    private final ConfirmedGroups confirmed;
    private final NodeOutcomes outcomes;
    private final PreviewMeters meters;
    private final boolean admitsPods;

    /** @param admitsPods whether pods are looked at when they are created */
    GroupReconciler(
            DedicatedScope scope, ConfirmedGroups confirmed, NodeOutcomes outcomes, PreviewMeters meters,
            boolean admitsPods) {
        this.scope = scope;
        this.confirmed = confirmed;
        this.outcomes = outcomes;
        this.meters = meters;
        this.admitsPods = admitsPods;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        Optional<CustomResource<DedicatedNodes>> found = scope.groups().get(key);
        if (found.isEmpty()) {
            confirmed.revoke(key.name());
            meters.forget(key.name());
            return new Decision.Gone("the DedicatedNodes does not exist");
        }
        Optional<Resolved> resolved = scope.resolution().find(key.name())
                .filter(known -> known.declared().desired().equals(found.get().spec().spec()));
        if (resolved.isEmpty()) { // the change that this is not of yet brings the key back
            return new Decision.Waiting("the newest spec beside the other groups");
        }
        Preview preview = scope.preview(resolved.get());
        meters.show(key.name(), preview);
        return status(found.get(), new GroupStatus(
                found.get().generation(), resolved.get(), preview, blockedNode(resolved.get()), admitsPods));
    }

    private Decision status(CustomResource<DedicatedNodes> group, GroupStatus status) {
        status.confirmed().ifPresentOrElse(confirmed::confirm, () -> confirmed.revoke(group.key().name()));
        Target target = Target.of(DedicatedNodes.DEFINITION, group).with(status.details());
        return status.blocked()
                .<Decision>map(by -> new Decision.Blocked(target, by, !GroupStatus.isPassing(by)))
                .orElseGet(() -> new Decision.InEffect(target, List.of()));
    }

    /** What keeps the first Node of the group from being as declared. */
    private Optional<Blocked> blockedNode(Resolved resolved) {
        return resolved.inForce().flatMap(group -> outcomes.nodes().stream().sorted()
                .filter(node -> scope.nodes().get(node).filter(found -> scope.enforced().of(found).stream()
                        .anyMatch(own -> own.name().equals(group.name()))).isPresent())
                .flatMap(node -> outcomes.of(node, group.name()).stream()).findFirst());
    }
}
