package io.nodeward.core.rules.capacity;

import java.util.List;
import java.util.Set;

/**
 * Taints that the flags of an autoscaler leave out of its simulation, besides those it leaves out by itself.
 *
 * @param keys given as {@code --startup-taint} or {@code --status-taint}
 * @param prefixes of keys, given as {@code --startup-taint-prefix}
 */
public record IgnoredTaints(Set<String> keys, Set<String> prefixes) {
    public static final IgnoredTaints NONE = new IgnoredTaints(Set.of(), Set.of());

    /** Before a key, it makes a startup taint. */
    static final String STARTUP_PREFIX = "startup-taint.cluster-autoscaler.kubernetes.io/";
    /** The older one of the same meaning, which later versions still know. */
    static final String IGNORE_PREFIX = "ignore-taint.cluster-autoscaler.kubernetes.io/";
    private static final String STATUS_PREFIX = "status-taint.cluster-autoscaler.kubernetes.io/";
    /** Of conditions of a Node, which pass; and the autoscaler's own. */
    private static final Set<String> PASSING = Set.of(
            "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable", "node.kubernetes.io/unschedulable",
            "node.kubernetes.io/memory-pressure", "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/network-unavailable", "node.kubernetes.io/pid-pressure",
            "node.cloudprovider.kubernetes.io/uninitialized", "node.cloudprovider.kubernetes.io/shutdown",
            "cloud.google.com/impending-node-termination", "ToBeDeletedByClusterAutoscaler",
            "DeletionCandidateOfClusterAutoscaler");

    public IgnoredTaints {
        keys = Set.copyOf(keys);
        prefixes = Set.copyOf(prefixes);
    }

    boolean has(String key) {
        return keys.contains(key) || prefixes.stream().anyMatch(key::startsWith);
    }

    /** Whether an autoscaler leaves them out whatever its flags. */
    static boolean isKnown(String key, Autoscaler autoscaler) {
        List<String> later = autoscaler == Autoscaler.BEFORE_STARTUP_TAINTS
                ? List.of()
                : List.of(STARTUP_PREFIX, STATUS_PREFIX);
        return key.startsWith(IGNORE_PREFIX) || PASSING.contains(key) || later.stream().anyMatch(key::startsWith);
    }

    /** What makes a key one that is left out. */
    static String prefix(Autoscaler autoscaler) {
        return autoscaler == Autoscaler.BEFORE_STARTUP_TAINTS ? IGNORE_PREFIX : STARTUP_PREFIX;
    }
}
