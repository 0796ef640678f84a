package io.nodeward.controller.topology;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.rules.topology.PropagationStep;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.StaleConditions;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.status.Conditions;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the conditions that the controller has set, with other gates or in another mode, on objects that it does not read
 * any more; and warns where it still owns taints that Cluster API cannot remove.
 */
final class TopologyCleanUp {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyCleanUp.class);

    private final StaleConditions conditions;
    private final Set<TopologyKind> warned = ConcurrentHashMap.newKeySet();

    /** @param watchFilter conditions of a Nodeward with another filter stay; empty if there is none */
    TopologyCleanUp(ManagementCluster management, Conditions conditions, String watchFilter) {
        this.conditions = new StaleConditions(management, conditions, TopologyReconciler.CONDITION,
                TopologyReconciler.FIELD_MANAGER, watchFilter);
    }

    /** Of all objects of a kind that declare taints for others. */
    Result removeConditions(TopologyKind kind) {
        return kind == TopologyKind.CLUSTER
                ? conditions.removeFromClusters()
                : conditions.remove(kind.text(), kind.plural(), Projection.taintHolder(TaintPlace.TEMPLATE),
                        found -> warn(kind, found));
    }

    private void warn(TopologyKind kind, TaintHolder found) {
        if (isLeftBehind(kind, found) && warned.add(kind)) {
            LOG.warn("{} {}, and maybe others: Cluster API carries taints there, and a share of {} from before keeps"
                    + " them when they are taken out. To let go of it run with TopologyTaintPropagation and"
                    + " --topology-mode=full for a while: see Handing over in the guide",
                    kind.text(), found.key(), TopologyReconciler.FIELD_MANAGER);
        }
    }

    /** Whether a taint that Cluster API lets go of would stay, as it is ours as well and nobody looks after it. */
    private static boolean isLeftBehind(TopologyKind kind, TaintHolder found) {
        PropagationStep step =
                kind == TopologyKind.MACHINE_SET ? PropagationStep.MACHINE_SETS : PropagationStep.TOPOLOGY;
        return step.rival(found.owners()).isPresent() && found.owners().stream()
                .anyMatch(owner -> owner.applied() && owner.manager().equals(step.manager()) && owner.hasShare());
    }
}
