package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What is paused, as Cluster API decides it: {@code spec.paused} of a Cluster pauses all that belongs to it, the annotation
 * the one object that has it. The annotation of a Cluster pauses what the Cluster itself declares, and no Machine.
 */
public final class Pause {
    private Pause() {}

    /** Whether an object of this Cluster is. */
    public static boolean isPaused(Cluster cluster, Metadata object) {
        return cluster.pauses(object);
    }

    /** Whether a Cluster itself is, and so what it declares. */
    public static boolean isPaused(Cluster cluster) {
        return isPaused(cluster, cluster.metadata());
    }

    /** The Cluster whose objects begin or end to be paused: it came or went, or its {@code spec.paused} changed. */
    public static Optional<ObjectKey> changed(@Nullable Cluster before, @Nullable Cluster after) {
        boolean changed = before == null || after == null || before.paused() != after.paused();
        return Optional.ofNullable(after != null ? after : before).filter(any -> changed).map(Cluster::key);
    }

    /** Whether an object is by its own annotation. */
    public static boolean isAnnotated(Metadata object) {
        return isAnnotated(object.annotations()::containsKey);
    }

    /** @param annotations whether the object has an annotation; its value does not matter */
    public static boolean isAnnotated(Predicate<String> annotations) {
        return annotations.test(ClusterApi.PAUSED_ANNOTATION);
    }
}
