package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.TaintListPlan.Contest;
import io.nodeward.core.rules.topology.TaintListPlan.Refusal;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import io.nodeward.core.rules.validation.MachineTaintRules;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Plans what to write to an object whose taints somebody above it declares. Ours is what we applied; a taint that
 * somebody else has put there is theirs and survives. Of a taint that is ours, fields are taken back.
 */
public final class TaintListPlanner {
    /** As servers name the unknown writers of an object that they began to track late. */
    private static final String UNTRACKED = "before-first-apply";
    private static final String VALUE = "value";
    private static final String PROPAGATION = "propagation";

    private final Map<TaintId, MachineTaint> wanted;
    private final Set<TaintId> expected;
    private final Map<TaintId, MachineTaint> live;
    private final FieldOwnership ownership;
    private final List<Contest> contests = new ArrayList<>(0);

    private TaintListPlanner(PropagationStep step, List<MachineTaint> wanted, Set<TaintId> expected,
            TaintHolder found) {
        this.wanted = byId(wanted);
        this.expected = expected;
        this.live = byId(found.taints());
        this.ownership = new FieldOwnership(step, live.keySet(), found);
    }

    /**
     * The write that is due.
     *
     * @param wanted what the object above declares, as it is to stand below
     */
    public static TaintListPlan plan(PropagationStep step, List<MachineTaint> wanted, TaintHolder found) {
        return plan(step, wanted, Set.of(), found);
    }

    /**
     * The write that is due where somebody else carries to the object as well.
     *
     * @param expected what they are to put there: ours of these stay until they have
     */
    public static TaintListPlan plan(PropagationStep step, List<MachineTaint> wanted, Set<TaintId> expected,
            TaintHolder found) {
        TaintListPlanner planner = new TaintListPlanner(step, wanted, expected, found);
        Write write = planner.write();
        return new TaintListPlan(write, planner.contests);
    }

    private Write write() {
        Optional<String> rival = ownership.rival();
        if (rival.isPresent()) {
            return leftTo(rival.get());
        }
        Optional<String> whole = ownership.ownerOfTheWhole();
        if (whole.isPresent()) {
            return refusedUnlessRight(Refusal.OWNED_AS_A_WHOLE,
                    whole.get() + " owns the list of taints as a whole: its schema does not make it a map by key and"
                            + " effect, so writing to it would take away what is there");
        }
        return merged();
    }

    /** Who makes this step besides us keeps what we both own; what only we own stays while it is wanted. */
    private Write leftTo(String rival) {
        List<MachineTaint> kept = wanted.values().stream()
                .filter(taint -> ownership.fields(taint.id()).contains(TaintOwner.ITEM)
                        && ownership.otherManagers(taint.id()).isEmpty())
                .toList();
        if (leaves(kept)) {
            return change(kept, false);
        }
        return refusedUnlessRight(Refusal.FIELD_CONFLICT, rival + " carries taints to this object");
    }

    private Write refusedUnlessRight(Refusal refusal, String message) {
        boolean right = wanted.values().stream().allMatch(taint -> taint.equals(live.get(taint.id())));
        // Of a list with one owner, what is not wanted ought to go as well.
        boolean more = refusal == Refusal.OWNED_AS_A_WHOLE && live.size() > wanted.size();
        return right && !more ? new Write.Nothing() : new Write.Refused(refusal, message);
    }

    private Write merged() {
        List<MachineTaint> body = new ArrayList<>(wanted.size());
        boolean changed = false;
        boolean force = false;
        for (MachineTaint taint : wanted.values()) {
            MachineTaint there = live.get(taint.id());
            if (there != null && !there.equals(taint) && isContested(taint, there)) {
                continue;
            }
            body.add(taint);
            changed |= there == null || !isSettled(taint, there);
            force |= there != null && isTakenBack(taint, there);
        }
        return changed || leaves(body) ? change(body, force) : new Write.Nothing();
    }

    /** Whether there is any of ours to be let go of. */
    private boolean leaves(List<MachineTaint> body) {
        Set<TaintId> stays = idsOf(body);
        return ownership.managed().stream().anyMatch(id -> !stays.contains(id) && !isHeld(id));
    }

    /** Whether somebody else has put it there, so that it stays as it is. */
    private boolean isContested(MachineTaint taint, MachineTaint there) {
        if (!ownership.isOfOthers(taint.id())) {
            return false;
        }
        Set<String> owners = ownership.otherManagers(taint.id());
        contests.add(new Contest(taint, there, new TreeSet<>(owners.isEmpty() ? Set.of(UNTRACKED) : owners)));
        return true;
    }

    private boolean isSettled(MachineTaint taint, MachineTaint there) {
        if (ownership.isManagedAsAWhole()) {
            return there.equals(taint);
        }
        boolean owned = ownership.fields(taint.id()).equals(fieldsOf(taint));
        return owned && (there.equals(taint) || isStuck(taint, there) && !differsInPropagation(taint, there));
    }

    /** Whether somebody else set a field of our own taint, which goes by force alone. */
    private boolean isTakenBack(MachineTaint taint, MachineTaint there) {
        TaintId id = taint.id();
        boolean value = !taint.value().isEmpty() && !taint.value().equals(there.value());
        return value && ownership.anyOther(owner -> owner.owns(id, VALUE))
                || differsInPropagation(taint, there) && ownership.anyOther(owner -> owner.owns(id, PROPAGATION));
    }

    /** Whether somebody else gave a value to our own taint that has none: applying it cannot take a value away. */
    private boolean isGiven(MachineTaint taint) {
        MachineTaint there = live.getOrDefault(taint.id(), taint);
        return taint.value().isEmpty() && !there.value().isEmpty() && !ownership.writers(taint.id(), VALUE).isEmpty();
    }

    /** Whether that value stays. */
    private boolean isStuck(MachineTaint taint, MachineTaint there) {
        boolean stuck = isGiven(taint) && !ownership.isFree(taint.id(), VALUE);
        if (stuck) {
            contests.add(new Contest(taint, there, new TreeSet<>(ownership.writers(taint.id(), VALUE))));
        }
        return stuck;
    }

    private static boolean differsInPropagation(MachineTaint taint, MachineTaint there) {
        return !taint.propagation().equals(there.propagation());
    }

    /** Makes our share of the list this, and what is held. */
    private Write change(List<MachineTaint> wanted, boolean force) {
        List<MachineTaint> body = new ArrayList<>(wanted);
        Set<TaintId> named = idsOf(wanted);
        live.values().stream().filter(taint -> !named.contains(taint.id()) && isHeld(taint.id())).forEach(body::add);
        Set<TaintId> stays = idsOf(body);
        Set<TaintId> goes = ownership.managed().stream()
                .filter(id -> !stays.contains(id) && ownership.otherManagers(id).isEmpty())
                .collect(Collectors.toSet());
        Set<TaintId> bare = idsOf(body.stream()
                .filter(taint -> isGiven(taint) && ownership.isFree(taint.id(), VALUE)).toList());
        List<MachineTaint> rest = live.values().stream().filter(taint -> !goes.contains(taint.id()))
                .map(taint -> bare.contains(taint.id()) ? withoutValue(taint) : taint).toList();
        boolean begunByOthers = rest.isEmpty() && body.isEmpty() && ownership.anyOther(TaintOwner::list);
        boolean edited = goes.stream().anyMatch(id -> ownership.anyOther(owner -> owner.items().containsKey(id)));
        if (!bare.isEmpty() || rest.size() < live.size() && (begunByOthers || edited)) {
            return replace(body, goes, rest, force);
        }
        return apply(body, rest, force);
    }

    /** What is new comes first, if there is room: between two writes no Node is to be without either. */
    private Write replace(List<MachineTaint> body, Set<TaintId> goes, List<MachineTaint> rest, boolean force) {
        List<MachineTaint> both = new ArrayList<>(body);
        live.values().stream().filter(taint -> goes.contains(taint.id())).forEach(both::add);
        boolean isNew = body.stream().anyMatch(taint -> !live.containsKey(taint.id()));
        return isNew && apply(both, rest, force) instanceof Write.Apply first ? first : new Write.Replace(rest);
    }

    private static Write apply(List<MachineTaint> body, List<MachineTaint> rest, boolean force) {
        long after = Stream.concat(rest.stream(), body.stream()).map(MachineTaint::id).distinct().count();
        if (after > MachineTaintRules.MAX_ITEMS) {
            return new Write.Refused(Refusal.TOO_MANY, "there would be " + after + " taints, and a list holds at most "
                    + MachineTaintRules.MAX_ITEMS);
        }
        return new Write.Apply(body, force);
    }

    /**
     * Whether it is ours until somebody else has put it there too, or letting go of our part of somebody else's taint
     * would take a field from it, as nobody else owns the field any more: the server would refuse what is left, or it
     * would be another taint than it is. A value that none of those who apply it has is declared by nobody.
     */
    private boolean isHeld(TaintId id) {
        MachineTaint there = live.get(id);
        if (there == null || ownership.otherManagers(id).isEmpty()) {
            return there != null && expected.contains(id) && ownership.managed().contains(id);
        }
        return fieldsOf(there).stream()
                .filter(field -> !field.equals(VALUE) || !ownership.isAppliedByAllOthers(id))
                .anyMatch(field -> ownership.fields(id).contains(field) && ownership.writers(id, field).isEmpty());
    }

    private static Set<String> fieldsOf(MachineTaint taint) {
        return taint.value().isEmpty()
                ? Set.of(TaintOwner.ITEM, "key", "effect", PROPAGATION)
                : Set.of(TaintOwner.ITEM, "key", "effect", PROPAGATION, VALUE);
    }

    private static MachineTaint withoutValue(MachineTaint taint) {
        return new MachineTaint(taint.key(), "", taint.effect(), taint.propagation());
    }

    private static Set<TaintId> idsOf(List<MachineTaint> taints) {
        return taints.stream().map(MachineTaint::id).collect(Collectors.toSet());
    }

    static Map<TaintId, MachineTaint> byId(List<MachineTaint> taints) {
        Map<TaintId, MachineTaint> byId = new LinkedHashMap<>();
        taints.forEach(taint -> byId.putIfAbsent(taint.id(), taint));
        return byId;
    }
}
