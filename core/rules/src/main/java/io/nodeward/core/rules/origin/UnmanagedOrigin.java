package io.nodeward.core.rules.origin;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.dedicated.DedicatedNodePlan;
import java.util.Optional;
import java.util.Set;

/**
 * Where a taint comes from that is not there because of a declaration. A key that belongs to somebody and a configuration
 * that has the taint make it likely; certain is only what the Node itself records.
 */
final class UnmanagedOrigin {
    private static final Set<String> ROLES =
            Set.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    private UnmanagedOrigin() {}

    static Cause of(NodeScope scope, Taint taint) {
        if (DedicatedNodePlan.isManaged(scope.node(), taint.id())) {
            return new Cause(Source.DEDICATED_NODES, Source.DEDICATED_NODES.text(), true,
                    "the annotation " + DedicatedAnnotations.TAINTS + " lists it");
        }
        boolean registered = scope.registeredWith(taint.id());
        return ofKey(scope, taint, registered)
                .or(() -> ofBootstrap(scope.bootstrap(), taint, registered))
                .orElseGet(() -> registered
                        ? new Cause(Source.BOOTSTRAP, "kubelet", true,
                                "nobody has written the list since the Node registered")
                        : ofWriters(scope));
    }

    private static Optional<Cause> ofKey(NodeScope scope, Taint taint, boolean registered) {
        boolean dated = scope.timeAdded().containsKey(taint.id());
        return KeyOwner.of(scope, taint)
                .filter(owner -> owner.registers() || !registered)
                .map(owner -> new Cause(owner.source(), owner.by(), registered || dated && owner.dates(),
                        owner.because()));
    }

    private static Optional<Cause> ofBootstrap(Bootstrap bootstrap, Taint taint, boolean registered) {
        if (bootstrap.passes(taint)) {
            return Optional.of(new Cause(Source.BOOTSTRAP, bootstrap.name(), registered,
                    "the kubelet's --register-with-taints has it"));
        }
        if (bootstrap.registers(taint)) {
            return Optional.of(new Cause(Source.BOOTSTRAP, bootstrap.name(), registered,
                    "nodeRegistration.taints has it"));
        }
        return bootstrap.controlPlane() && ROLES.contains(taint.key()) && bootstrap.registered().isEmpty()
                ? Optional.of(new Cause(Source.BOOTSTRAP, "kubeadm", false,
                        "kubeadm gives it to control planes unless it is told otherwise"))
                : Optional.empty();
    }

    /** Who wrote the list last owns all of it, what was there before too. */
    private static Cause ofWriters(NodeScope scope) {
        Optional<ManagedFieldsEntry> last = NodeScope.latest(scope.listWriters());
        if (last.isEmpty()) {
            return Cause.unknown(scope.writers().isEmpty()
                    ? "there are no managedFields: kubectl leaves them out without --show-managed-fields"
                    : "managedFields name nobody who wrote the list of taints");
        }
        String manager = last.get().manager();
        return switch (Actor.of(manager)) {
            case PROPAGATOR, NODE_LIFECYCLE -> Cause.unknown(
                    "it was there before " + manager + " wrote the list; who put it there is not recorded");
            case KUBELET -> new Cause(Source.BOOTSTRAP, manager, false,
                    "it wrote the list last; whether as the Node registered is not recorded");
            case CLOUD_PROVIDER, AUTOSCALER, HUMAN, OTHER -> new Cause(Actor.of(manager).source(), manager,
                    false, manager + " wrote the list last, and may have found it there");
        };
    }
}
