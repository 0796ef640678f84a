package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.node.TaintId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Whose the taints of one list are: ours is what we applied, somebody else's what they have put there. Where the object
 * above has made the one below, who created it only passed on what was declared: of a taint that is ours, none but
 * those who apply is somebody else.
 */
final class FieldOwnership {
    private final PropagationStep step;
    private final Set<TaintId> live;
    private final TaintOwner own;
    private final List<TaintOwner> others;

    /** @param live what is there */
    FieldOwnership(PropagationStep step, Set<TaintId> live, TaintHolder found) {
        Predicate<TaintOwner> managed = owner -> owner.applied() && owner.manager().equals(step.manager());
        this.step = step;
        this.live = live;
        this.own = found.owners().stream().filter(managed).findFirst()
                .orElse(new TaintOwner(step.manager(), true, false, Map.of()));
        this.others = found.owners().stream().filter(managed.negate()).toList();
    }

    /** Who else makes this step. */
    Optional<String> rival() {
        return step.rival(others);
    }

    Optional<String> ownerOfTheWhole() {
        return others.stream().filter(this::isWhole).map(TaintOwner::manager).findFirst();
    }

    boolean isManagedAsAWhole() {
        return isWhole(own);
    }

    /** Of a map with items, somebody owns one. */
    private boolean isWhole(TaintOwner owner) {
        return owner.list() && !live.isEmpty() && own.items().isEmpty() && others.stream().allMatch(
                other -> other.items().isEmpty());
    }

    Set<TaintId> managed() {
        return isManagedAsAWhole() ? live : own.items().keySet();
    }

    /** Fields of a taint that we own. */
    Set<String> fields(TaintId id) {
        return own.items().getOrDefault(id, Set.of());
    }

    /** Who else has put it there; of one that no entry of managedFields has, the managers of any of its fields. */
    Set<String> otherManagers(TaintId id) {
        boolean managed = managed().contains(id);
        return managers(owner -> managed ? owner.ownsItem(id) && !yields(owner) : owner.items().containsKey(id));
    }

    /** Whether somebody else has put a taint of the list there, so that it stays as it is. */
    boolean isOfOthers(TaintId id) {
        return !managed().contains(id) || !otherManagers(id).isEmpty();
    }

    /** Whether all who else have put it there apply it, so that what they have not set they do not declare. */
    boolean isAppliedByAllOthers(TaintId id) {
        return others.stream().filter(owner -> owner.ownsItem(id) && !yields(owner)).allMatch(TaintOwner::applied);
    }

    /** Who else has set a field of it. */
    Set<String> writers(TaintId id, String field) {
        return managers(owner -> owner.owns(id, field));
    }

    /** Whether all who else have set a field of ours have no say in it. */
    boolean isFree(TaintId id, String field) {
        return managed().contains(id) && others.stream().filter(owner -> owner.owns(id, field)).allMatch(this::yields);
    }

    private boolean yields(TaintOwner owner) {
        return step.makes() && !owner.applied();
    }

    private Set<String> managers(Predicate<TaintOwner> which) {
        return others.stream().filter(which).map(TaintOwner::manager).collect(Collectors.toSet());
    }

    boolean anyOther(Predicate<TaintOwner> which) {
        return others.stream().anyMatch(which);
    }
}
