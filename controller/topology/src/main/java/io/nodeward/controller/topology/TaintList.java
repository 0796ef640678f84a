package io.nodeward.controller.topology;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Part;
import io.nodeward.core.runtime.controller.Verb;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The list of declared taints of one object in the management cluster.
 *
 * @param cache where newer versions of the object appear
 * @param found the version that a change is planned from
 */
record TaintList(ObjectKind kind, TaintPlace place, ObjectCache<TaintHolder> cache, TaintHolder found) {
    /**
     * The write, which holds on the version found.
     *
     * @param manager the field manager whose share of the list changes
     * @throws IllegalArgumentException if the write is refused
     */
    ObjectChange change(Write write, String manager) {
        return switch (write) {
            case Write.Nothing nothing -> ObjectChange.of(kind, found.metadata(), new Verb.None());
            case Write.Apply(List<MachineTaint> taints, boolean force) -> change(
                    new Verb.Apply(taints.isEmpty() ? Tree.of(Map.of()) : place.holding(taints), force), taints,
                    manager);
            case Write.Replace(List<MachineTaint> taints) ->
                    change(new Verb.MergePatch(place.holding(taints)), taints, manager);
            case Write.Refused refused -> throw new IllegalArgumentException(refused.message());
        };
    }

    /** The status is of an object above, and names this one among others. */
    private ObjectChange change(Verb verb, List<MachineTaint> taints, String manager) {
        Map<String, Object> changed = new LinkedHashMap<>();
        changed.put("manager", manager);
        changed.put("taints", taints);
        return ObjectChange.of(kind, found.metadata(), verb).seenIn(cache).by(manager)
                .of(Part.DECLARED_TAINTS, changed);
    }
}
