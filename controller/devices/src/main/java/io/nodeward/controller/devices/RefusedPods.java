package io.nodeward.controller.devices;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pods that the server does not let go, and those that PodDisruptionBudgets hold up. */
final class RefusedPods {
    private final Map<ObjectKey, Refusal> refusals = new ConcurrentHashMap<>();

    /**
     * The last answer about a pod.
     *
     * @param uid another pod of the same name starts anew
     * @param taints by which the pod has to go
     * @param held whether a budget holds the pod up
     * @param times how often in a row the answer was so
     */
    private record Refusal(String uid, Set<String> taints, String why, boolean held, int times) {}

    /** Returns how often in a row this very pod has been refused by now, or held up. */
    int add(Pod pod, Set<String> taints, String why, boolean held) {
        String uid = pod.metadata().uid();
        return refusals.compute(pod.key(), (key, before) -> new Refusal(uid, taints, why, held,
                before != null && before.uid.equals(uid) && before.held == held ? before.times + 1 : 1)).times;
    }

    /** Returns the taints for which it was refused. */
    Set<String> remove(ObjectKey pod) {
        return Optional.ofNullable(refusals.remove(pod)).map(Refusal::taints).orElse(Set.of());
    }

    /** Returns how many pods that have to go for these taints do not, and why the first does not; empty if none is refused. */
    Optional<String> text(Set<String> taints) {
        Map<String, Refusal> refused = new TreeMap<>();
        Map<String, Refusal> held = new TreeMap<>();
        refusals.forEach((pod, refusal) -> {
            if (!Collections.disjoint(refusal.taints(), taints)) {
                (refusal.held ? held : refused).put(pod.toString(), refusal);
            }
        });
        String text = Stream.concat(
                text(refused, "the server does not let " + refused.size() + " go, which is tried again; of Pod "),
                text(held, "PodDisruptionBudgets hold up " + held.size() + ", which is tried again; of Pod "))
                .collect(Collectors.joining("; "));
        return Optional.of(text).filter(any -> !any.isEmpty());
    }

    private static Stream<String> text(Map<String, Refusal> all, String begin) {
        return all.entrySet().stream().limit(1).map(first -> begin + first.getKey() + " " + first.getValue().why());
    }
}
