package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Takes back the conditions of one type from objects that their controller does not look at any more: with other gates or
 * in another mode a process before this one did.
 */
public final class StaleConditions {
    /** A process that is being replaced may write conditions meanwhile. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final ManagementCluster management;
    private final Conditions conditions;
    private final String type;
    private final String fieldManager;
    private final String selector;
    /** Plurals. */
    private final Set<String> repeated = ConcurrentHashMap.newKeySet();

    /**
     * @param type of the conditions
     * @param watchFilter the conditions of another Nodeward stay; empty if there is none
     */
    public StaleConditions(
            ManagementCluster management, Conditions conditions, String type, String fieldManager, String watchFilter) {
        this.management = management;
        this.conditions = conditions.named(type);
        this.type = type;
        this.fieldManager = fieldManager;
        this.selector = watchFilter.isEmpty() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
    }

    /** Removes the conditions of all Clusters, which are watched anyway. */
    public Result removeFromClusters() {
        return remove("clusters", management.clusters().all().stream()
                .filter(cluster -> isReported(cluster.conditions()))
                .map(cluster -> Target.of(management.version("clusters"), cluster)).toList());
    }

    /**
     * Removes the conditions of all objects of another kind of Cluster API, which is listed for it.
     *
     * @param plural as in paths
     * @param each gets every object, with or without a condition
     */
    public Result remove(
            String kind, String plural, Projection<TaintHolder> projection, Consumer<TaintHolder> each) {
        List<Target> reported = new ArrayList<>(0);
        Consumer<TaintHolder> collect = object -> {
            if (isReported(object.conditions())) {
                reported.add(Target.of(management.version(plural), kind, plural, object, object.conditions()));
            }
            each.accept(object);
        };
        // What may not be listed in one namespace may be in the next.
        management.namespaces().forEach(namespace -> management.home().listReadable(
                Resources.clusterApi(management.version(plural), plural), namespace, selector, projection, collect));
        return remove(plural, reported);
    }

    private Result remove(String plural, List<Target> reported) {
        Duration left = Duration.ZERO;
        for (Target target : reported) {
            Duration wait = conditions.report(target, Optional.empty(), fieldManager);
            left = wait.compareTo(left) > 0 ? wait : left;
        }
        if (left.isPositive()) {
            return Result.requeueAfter(left, "conditions that could not be taken back");
        }
        return !reported.isEmpty() && repeated.add(plural)
                ? Result.requeueAfter(ONCE_MORE, "a process that still writes them to end")
                : Result.done();
    }

    private boolean isReported(List<Condition> all) {
        return all.stream().anyMatch(condition -> condition.type().equals(type));
    }
}
