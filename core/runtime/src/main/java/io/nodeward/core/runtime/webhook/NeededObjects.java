package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.webhook.Registration.Needed;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a component must not delete: what it wants now, and what does the work until that is in force. */
final class NeededObjects {
    private final List<Supplier<Registration>> registrations;
    /** By the latest pass. */
    private Set<Needed> begun = Set.of();
    /** By the latest that left nothing to be done; what it needed does the work until the next one has. */
    private Set<Needed> settled = Set.of();
    /** What was kept when it was last looked for what is not needed. */
    private @Nullable Set<Needed> kept;

    /** @param registrations as they are wanted now */
    NeededObjects(List<Supplier<Registration>> registrations) {
        this.registrations = registrations;
    }

    /** Begins a pass, of which nothing may have been written yet. */
    synchronized List<Registration> begin() {
        List<Registration> pass = registrations.stream().map(Supplier::get).toList();
        begun = of(pass);
        return pass;
    }

    /** Once all of the pass is done. Returns whether there may be something that is not needed any more. */
    synchronized boolean settle() {
        settled = begun;
        boolean changed = !settled.equals(kept);
        kept = settled;
        return changed;
    }

    /** All of them; to be asked after a look at what is there. */
    synchronized Set<Needed> all() {
        Set<Needed> all = of(registrations.stream().map(Supplier::get).toList());
        all.addAll(begun);
        all.addAll(settled);
        kept = all;
        return all;
    }

    private static Set<Needed> of(List<Registration> registrations) {
        Set<Needed> needed = new HashSet<>();
        registrations.forEach(registration -> needed.addAll(registration.needed()));
        return needed;
    }
}
