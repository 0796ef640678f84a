package io.nodeward.api.dedicated;

import java.util.Optional;
import java.util.Set;

/** What a group's taint does to pods that do not tolerate it. */
public enum DedicatedEffect {
    NoSchedule(Set.of("NoSchedule")),
    PreferNoSchedule(Set.of("PreferNoSchedule")),
    NoExecute(Set.of("NoExecute")),
    /** No pod starts there either that reaches the Node without the scheduler. */
    NoScheduleNoAdmit(Set.of("NoSchedule")),
    /** And those that run there are evicted. */
    NoScheduleNoAdmitNoExecute(Set.of("NoSchedule", "NoExecute"));

    private final Set<String> onNode;

    DedicatedEffect(Set<String> onNode) {
        this.onNode = onNode;
    }

    /** The effects that the Node's taints have: a Node accepts only three. */
    public Set<String> onNode() {
        return onNode;
    }

    /** The one with this name; empty if there is none. */
    static Optional<DedicatedEffect> of(String name) {
        for (DedicatedEffect effect : values()) {
            if (effect.name().equals(name)) {
                return Optional.of(effect);
            }
        }
        return Optional.empty();
    }
}
