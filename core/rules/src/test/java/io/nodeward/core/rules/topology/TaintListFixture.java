package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Taints that are wanted and there, and whose they are. */
final class TaintListFixture {
    static final MachineTaint A = always("a", "1", "NoSchedule");
    static final MachineTaint A2 = always("a", "2", "NoSchedule");
    static final MachineTaint A_ONCE = once("a", "1", "NoSchedule");
    static final MachineTaint A_BARE = always("a", "", "NoSchedule");
    static final MachineTaint B = always("b", "", "NoSchedule");
    static final List<MachineTaint> NONE = List.of();
    static final String OURS = "nodeward-topology";

    private TaintListFixture() {}

    /** Of a Machine. */
    static TaintListPlan plan(List<MachineTaint> wanted, List<MachineTaint> there, TaintOwner... owners) {
        return TaintListPlanner.plan(PropagationStep.MACHINES, wanted, found(there, owners));
    }

    static TaintHolder found(List<MachineTaint> there, TaintOwner... owners) {
        Metadata metadata =
                new Metadata(new ObjectKey("fleet", "m"), "u", "1", Map.of(), Map.of(), List.of(), false);
        return new TaintHolder(metadata, "c", there, List.of(owners), List.of(), 0);
    }

    static TaintOwner applied(String manager, MachineTaint... taints) {
        return new TaintOwner(manager, true, false, items(taints));
    }

    /** Who made the list by any other write. */
    static TaintOwner updated(String manager, MachineTaint... taints) {
        return new TaintOwner(manager, false, true, items(taints));
    }

    private static Map<TaintId, Set<String>> items(MachineTaint... taints) {
        Map<TaintId, Set<String>> items = new HashMap<>();
        for (MachineTaint taint : taints) {
            items.put(taint.id(), taint.value().isEmpty()
                    ? Set.of(TaintOwner.ITEM, "key", "effect", "propagation")
                    : Set.of(TaintOwner.ITEM, "key", "effect", "propagation", "value"));
        }
        return items;
    }

    static TaintOwner without(TaintOwner owner, TaintId id, String field) {
        Map<TaintId, Set<String>> items = new HashMap<>(owner.items());
        Set<String> left = new TreeSet<>(items.getOrDefault(id, Set.of()));
        left.remove(field);
        items.put(id, Set.copyOf(left));
        return new TaintOwner(owner.manager(), owner.applied(), owner.list(), items);
    }
}
