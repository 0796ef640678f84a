package io.nodeward.controller.devices;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Blocked;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The pods that the server does not let go. */
final class RefusedPods {
    private final Map<ObjectKey, Refusal> refusals = new ConcurrentHashMap<>();

    /** @param taints by which the pod has to go */
    private record Refusal(Set<String> taints, Blocked why) {}

    void add(ObjectKey pod, Set<String> taints, Blocked why) {
        refusals.put(pod, new Refusal(taints, why));
    }

    /** Returns the taints for which it was refused. */
    Set<String> remove(ObjectKey pod) {
        return Optional.ofNullable(refusals.remove(pod)).map(Refusal::taints).orElse(Set.of());
    }

    /** Returns how many pods that have to go for these taints are refused, and why the first is; empty if none is. */
    Optional<String> text(Set<String> taints) {
        Map<ObjectKey, Blocked> refused = new TreeMap<>(Comparator.comparing(ObjectKey::toString));
        refusals.forEach((pod, refusal) -> {
            if (!Collections.disjoint(refusal.taints(), taints)) {
                refused.put(pod, refusal.why());
            }
        });
        return refused.entrySet().stream().findFirst().map(first -> "the server does not let " + refused.size()
                + " go, which is tried again; of Pod " + first.getKey() + " " + first.getValue().message());
    }
}
