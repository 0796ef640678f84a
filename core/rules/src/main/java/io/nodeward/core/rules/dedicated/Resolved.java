package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of one declared group.
 *
 * @param inForce with {@code Warn} or {@code Enforce}; empty if nothing of it is in force
 * @param conflicts the reasons why not all that it declares is in force, and those for which others are not
 * @param accepted whether the declared spec is in force; with {@code Audit}, whether it could be enforced
 */
public record Resolved(
        DeclaredGroup declared, Optional<Group> inForce, List<Conflict> conflicts, boolean accepted) {
    public Resolved {
        conflicts = List.copyOf(conflicts);
    }

    /**
     * Returns the spec that the status has to record as established, empty if none is. It is recorded before any Node is
     * changed: what a Node has is never newer than what is established.
     */
    public Optional<DedicatedNodesSpec> established() {
        return inForce.filter(Group::isEnforced).map(Group::spec);
    }

    /** Returns whether it contradicts nothing, and only waits for pods, or templates of pods, that it would cut off or refuse. */
    public boolean awaitsPods() {
        return !accepted && conflicts.stream().anyMatch(Conflict::isOfPods);
    }

    /** Returns whether it gives up Nodes one after the other: until it is through, what was in force stays. */
    public boolean isReleasing() {
        return conflicts.stream().anyMatch(Conflict::isRelease);
    }

    /** Returns the declared group, if Nodes get its taint when it comes into force. */
    Optional<Group> next() {
        return declared.enforces() ? Optional.of(new Group(declared.name(), declared.desired())) : Optional.empty();
    }

    /** Returns whether what is declared concerns pods: it does not only count, and is in force or waits for its pods. */
    public boolean concernsPods() {
        return declared.desired().enforcement() != EnforcementMode.Audit && (accepted || awaitsPods());
    }

    /** Returns all that is declared, as if it were enforced. */
    Group tried() {
        return inForce.filter(group -> accepted).orElseGet(
                () -> new Group(declared.name(), declared.desired().withEnforcement(EnforcementMode.Enforce)));
    }

    Resolved with(Conflict conflict) {
        List<Conflict> more = new ArrayList<>(conflicts);
        more.add(conflict);
        return new Resolved(declared, inForce, more, accepted);
    }
}
