package io.nodeward.controller.machine;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.taint.NewNoExecute;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.Target;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Who declares taints for many Machines: their MachineDeployment, and the Cluster for those without one. */
final class NodeOwners implements LimitedNodes.Nodes<ObjectId, ObjectKey> {
    private static final String DEPLOYMENTS = "machinedeployments";

    private final ManagementCluster management;
    private final InstantSource clock;
    private final ObjectCache<TaintHolder> deployments;

    NodeOwners(ManagementCluster management, InstantSource clock) {
        this.management = management;
        this.clock = clock;
        this.deployments =
                management.watch(DEPLOYMENTS, Projection.taintHolder(TaintPlace.TEMPLATE));
    }

    ObjectCache<TaintHolder> deployments() {
        return deployments;
    }

    /** Of a Machine that is gone meanwhile, the Machine itself. */
    @Override
    public ObjectId owner(ObjectKey key) {
        return management.machines().get(key).map(this::of).orElseGet(() -> new ObjectId("Machine", key));
    }

    private ObjectId of(Machine machine) {
        ObjectKey deployment = new ObjectKey(
                machine.key().namespace(), machine.metadata().labels().getOrDefault(ClusterApi.DEPLOYMENT_NAME, ""));
        return deployments.get(deployment).isPresent() ? id(deployment) : cluster(machine.cluster());
    }

    @Override
    public Optional<NodeChange> without(ObjectKey key, Verb.PatchNode patch) {
        return NewNoExecute.without(patch.before(), patch.change(), clock.instant());
    }

    static ObjectId id(ObjectKey deployment) {
        return new ObjectId("MachineDeployment", deployment);
    }

    static ObjectId cluster(ObjectKey key) {
        return new ObjectId("Cluster", key);
    }

    @Override
    public long confirmed(ObjectId owner) {
        return find(owner).map(found -> NoExecuteCount.confirmed(found.metadata().annotations())).orElse(0L);
    }

    private Optional<? extends KubernetesObject> find(ObjectId owner) {
        return owner.kind().equals("Cluster")
                ? management.clusters().get(owner.key())
                : deployments.get(owner.key());
    }

    /** Tests the Machines of the owner that should have a Node. */
    boolean all(ObjectId owner, Predicate<ObjectKey> which) {
        return management.machines().all().stream()
                .filter(machine -> !machine.providerId().isEmpty() || !machine.nodeName().isEmpty())
                .filter(machine -> of(machine).equals(owner)).map(Machine::key).allMatch(which);
    }

    /** Where its status is; empty if it does not exist. */
    Optional<Target> target(ObjectId owner) {
        return find(owner).map(found -> found instanceof Cluster cluster
                ? Target.of(management.version("clusters"), cluster)
                : Target.of(management.version(DEPLOYMENTS), owner.kind(), DEPLOYMENTS, found, conditions(found)));
    }

    private static List<Condition> conditions(KubernetesObject found) {
        return found instanceof TaintHolder deployment ? deployment.conditions() : List.of();
    }

    /** The owner, if a former run has reported on it. */
    static Set<ObjectId> reported(ObjectId owner, List<Condition> conditions) {
        return NoExecuteLimit.isReported(conditions) ? Set.of(owner) : Set.of();
    }
}
