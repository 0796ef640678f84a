package io.nodeward.controller.topology;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.TaintBearer;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.topology.Hop;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Resources;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ListOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes back what the room has said, with other gates or in another mode, of objects that it looks at no more; and says
 * where it has left shares that Cluster API cannot take off.
 */
final class Retraction {
    private static final Logger LOG = LoggerFactory.getLogger(Retraction.class);
    private static final int PAGE = 500;
    /** What a process that is being replaced says meanwhile is taken back as well. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);

    private final ManagementCluster management;
    private final Conditions conditions;
    private final String selector;
    private final Set<Level> repeated = ConcurrentHashMap.newKeySet();
    private final Set<Level> warned = ConcurrentHashMap.newKeySet();

    /** @param watchFilter what another Nodeward has said stays; empty if there is none */
    Retraction(ManagementCluster management, Conditions conditions, String watchFilter) {
        this.management = management;
        this.conditions = conditions.named(TopologyReconciler.CONDITION);
        this.selector = watchFilter.isEmpty() ? "" : ClusterApi.WATCH_FILTER_LABEL + "=" + watchFilter;
    }

    /** Of all objects of a level that declare taints for others. */
    Result takeBack(Level level) {
        List<Target> said = level == Level.CLUSTER ? clusters() : list(level);
        Duration left = Duration.ZERO;
        for (Target target : said) {
            Duration wait = conditions.report(target, Optional.empty(), TopologyReconciler.FIELD_MANAGER);
            left = wait.compareTo(left) > 0 ? wait : left;
        }
        if (left.isPositive()) {
            return Result.requeueAfter(left, "conditions that could not be taken back");
        }
        return !said.isEmpty() && repeated.add(level)
                ? Result.requeueAfter(ONCE_MORE, "whoever said it to be gone")
                : Result.done();
    }

    private List<Target> clusters() {
        return management.clusters().all().stream().filter(cluster -> isSaid(cluster.conditions()))
                .map(cluster -> Target.of(management.version(), Level.CLUSTER.kind(), Level.CLUSTER.plural(), cluster,
                        cluster.conditions()))
                .toList();
    }

    private List<Target> list(Level level) {
        List<Target> said = new ArrayList<>(0);
        try {
            String next = "";
            do {
                next = page(level, next, said);
            } while (!next.isEmpty());
        } catch (ApiFailure.NotServed old) {
            LOG.debug("{} are not served here", level.plural());
        } catch (ApiFailure.Forbidden forbidden) {
            // The rule where topologies have never been carried: the role is not bound.
            LOG.debug("whether {} say {} may not be asked: {}", level.plural(), TopologyReconciler.CONDITION,
                    forbidden.getMessage());
        }
        return said;
    }

    /** Returns where the next page begins; empty after the last. */
    private String page(Level level, String from, List<Target> said) {
        try (Answer answer = management.server().list(Resources.clusterApi(management.version(), level.plural()), "",
                ListOptions.page(selector, PAGE, from))) {
            return ListPage.read(answer.body(), Projection.taintBearer(TaintPlace.TEMPLATE), bearer -> {
                if (isSaid(bearer.conditions())) {
                    said.add(
                            Target.of(management.version(), level.kind(), level.plural(), bearer, bearer.conditions()));
                }
                if (isLeftBehind(level, bearer) && warned.add(level)) {
                    LOG.warn("{} {}, and maybe others: Cluster API carries taints there, and a share of {} from before"
                            + " keeps them when they are taken out. To let go of it run with TopologyTaintPropagation"
                            + " and --topology-mode=full for a while: see Handing over in the guide",
                            level.kind(), bearer.key(), TopologyReconciler.FIELD_MANAGER);
                }
            }).continueToken();
        } catch (IOException e) {
            throw ApiFailure.unreachable("list of " + level.plural(), "the answer was cut", e);
        }
    }

    /** Whether a taint that Cluster API lets go of would stay, as it is ours as well and nobody looks after it. */
    private static boolean isLeftBehind(Level level, TaintBearer bearer) {
        Hop hop = level == Level.MACHINE_SET ? Hop.MACHINE_SETS : Hop.TOPOLOGY;
        return hop.rival(bearer.owners()).isPresent() && bearer.owners().stream()
                .anyMatch(owner -> owner.applied() && owner.manager().equals(hop.manager()) && owner.hasShare());
    }

    private static boolean isSaid(List<Condition> conditions) {
        return conditions.stream().anyMatch(condition -> condition.type().equals(TopologyReconciler.CONDITION));
    }
}
