package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a component must not delete: what it wants now, and what does the work until that is in force. */
final class NeededObjects {
    private final List<Registration> registrations;
    private Passes passes = new Passes(Map.of(), Map.of());
    /** What was kept when it was last looked for what is not needed. */
    private Map<Resource, Set<ObjectKey>> kept = Map.of();

    /**
     * What two passes needed.
     *
     * @param begun the latest
     * @param settled the latest that left nothing to be done; what it needed does the work until the next one has
     */
    private record Passes(Map<Resource, Set<ObjectKey>> begun, Map<Resource, Set<ObjectKey>> settled) {}

    NeededObjects(List<Registration> registrations) {
        this.registrations = registrations;
    }

    /** Before the first write of a pass. */
    synchronized void begin(List<Registration> pass) {
        passes = new Passes(of(pass), passes.settled);
    }

    /** Once all of the pass is done. Returns whether there may be something that is not needed any more. */
    synchronized boolean settle() {
        passes = new Passes(passes.begun, passes.begun);
        boolean changed = !passes.settled.equals(kept);
        kept = passes.settled;
        return changed;
    }

    /** All of them; to be asked after a look at what is there. */
    synchronized Map<Resource, Set<ObjectKey>> all() {
        Map<Resource, Set<ObjectKey>> all = of(registrations);
        add(all, passes.begun);
        add(all, passes.settled);
        kept = all;
        return all;
    }

    private static Map<Resource, Set<ObjectKey>> of(List<Registration> registrations) {
        Map<Resource, Set<ObjectKey>> needed = new HashMap<>();
        registrations.forEach(registration -> add(needed, registration.needed()));
        return needed;
    }

    private static void add(Map<Resource, Set<ObjectKey>> all, Map<Resource, Set<ObjectKey>> more) {
        more.forEach((resource, keys) -> all.computeIfAbsent(resource, any -> new HashSet<>()).addAll(keys));
    }
}
