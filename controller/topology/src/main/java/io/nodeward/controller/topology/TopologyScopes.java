package io.nodeward.controller.topology;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.controller.topology.ControlPlanes.Provider;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.rules.topology.MergedTaints;
import io.nodeward.core.rules.topology.PropagationStep;
import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.rules.topology.TopologyTaints;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Withheld;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Loads what is known of an object and of what is declared for it, from caches alone. */
final class TopologyScopes {
    private static final String DEPLOYMENT_LABEL = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL_LABEL = "topology.cluster.x-k8s.io/pool-name";

    /** The kinds of Cluster API that declare taints. */
    private static final Set<String> READ =
            Set.of("clusters", "clusterclasses", "machinedeployments", "machinepools", "machinesets", "machines");

    private final ManagementCluster management;
    private final TopologyCaches caches;
    private final ControlPlanes controlPlanes;
    private final TopologyPolicy policy;

    @Inject
    TopologyScopes(
            ManagementCluster management, TopologyCaches caches, ControlPlanes controlPlanes, TopologyPolicy policy) {
        this.management = management;
        this.caches = caches;
        this.controlPlanes = controlPlanes;
        this.policy = policy;
    }

    TopologyScope load(TopologyTask task) {
        if (!policy.propagatesTo(task.kind())) {
            return new TopologyScope.NotManaged("this step is not made");
        }
        if (task.kind() == TopologyKind.CONTROL_PLANE) {
            return controlPlane(task.key());
        }
        Optional<TaintHolder> found = caches.holders(task.kind()).get(task.key());
        if (found.isEmpty()) {
            return new TopologyScope.NotManaged("it is gone");
        }
        Optional<Cluster> cluster = caches.clusters().get(found.get().cluster());
        return OwnerCluster.awaited(found.get().cluster(), cluster, found.get().metadata())
                .<TopologyScope>map(TopologyScope.Waiting::new)
                .orElseGet(() -> load(task.kind(), found.get(), cluster.orElseThrow()));
    }

    private TopologyScope load(TopologyKind kind, TaintHolder found, Cluster cluster) {
        return switch (kind) {
            case MACHINE_DEPLOYMENT -> awaited(cluster)
                    .orElseGet(() -> group(kind, found, cluster, DEPLOYMENT_LABEL,
                            TopologyTaints.MACHINE_DEPLOYMENTS));
            case MACHINE_POOL -> awaited(cluster)
                    .orElseGet(() -> group(kind, found, cluster, POOL_LABEL, TopologyTaints.MACHINE_POOLS));
            case MACHINE_SET -> made(kind, found, TopologyKind.MACHINE_DEPLOYMENT, PropagationStep.MACHINE_SETS);
            case MACHINE -> machine(found, cluster);
            case CLUSTER, CONTROL_PLANE -> new TopologyScope.NotManaged("nothing is propagated there");
        };
    }

    /** What must come before anything is written that the Cluster itself declares; empty if nothing. */
    private static Optional<TopologyScope> awaited(Cluster cluster) {
        return Pause.isPaused(cluster)
                ? Optional.of(new TopologyScope.Waiting("the end of the pause"))
                : Optional.empty();
    }

    /** An object that declares taints for others; empty if it is gone, or about to go: then nothing of it is missed. */
    Optional<Target> source(SourceObject source) {
        Optional<Target> target = switch (source.kind()) {
            case CLUSTER -> caches.clusters().get(source.key()).map(this::target);
            case MACHINE_DEPLOYMENT, MACHINE_POOL, MACHINE_SET -> caches.holders(source.kind()).get(source.key())
                    .map(found -> target(source.kind(), found));
            case CONTROL_PLANE, MACHINE -> Optional.empty();
        };
        return target.filter(found -> !found.deleting());
    }

    private Target target(Cluster cluster) {
        return Target.of(management.version("clusters"), cluster);
    }

    private Target target(TopologyKind kind, TaintHolder found) {
        String plural = kind.plural();
        return Target.of(management.version(plural), kind.text(), plural, found, found.conditions());
    }

    /** Returns how long the removal of taints has to wait; see {@link ManagementCluster#untilNewest}. */
    Optional<Withheld> untilNewest(TopologyTask task, TopologyScope.Ready ready) {
        return management.untilNewest(List.of(task, ready.list().found().taints()), READ);
    }

    /** The object that a task is about, with its kind. */
    String name(TopologyTask task) {
        return task.kind() == TopologyKind.CONTROL_PLANE
                ? name(caches.topologies().get(task.key()).map(ClusterTopology::controlPlaneRef)
                        .orElse(ControlPlaneRef.NONE))
                : task.kind().text() + " " + task.key().name();
    }

    /** A MachineDeployment or MachinePool, which a label ties to a part of its Cluster's topology. */
    private TopologyScope group(TopologyKind kind, TaintHolder found, Cluster cluster, String label, String place) {
        String name = found.metadata().labels().getOrDefault(label, "");
        Optional<ClusterTopology> topology = caches.topologies().get(found.cluster());
        if (name.isEmpty() || topology.isEmpty()) {
            return new TopologyScope.NotManaged("it is in no topology");
        }
        return declared(topology.get(), cluster, all -> {
            MergedTaints merged = all.at(place).get(name);
            if (merged != null) {
                return ready(cluster, merged, list(kind, found));
            }
            return all.unresolved(place, name)
                    .map(one -> stuck(cluster, Reason.CLASS_NOT_FOUND,
                            "ClusterClass " + topology.get().className() + " does not have " + one))
                    .orElseGet(() -> new TopologyScope.NotManaged("the topology does not have it"));
        });
    }

    private TopologyScope controlPlane(ObjectKey key) {
        Optional<ClusterTopology> topology = caches.topologies().get(key);
        if (topology.isEmpty()) {
            return new TopologyScope.NotManaged("the Cluster is gone");
        }
        ControlPlaneRef ref = topology.get().controlPlaneRef();
        if (ref.equals(ControlPlaneRef.NONE)) {
            return new TopologyScope.NotManaged("the Cluster names no control plane");
        }
        Optional<Cluster> cluster = caches.clusters().get(key);
        return OwnerCluster.awaited(key, cluster, topology.get().metadata())
                .<TopologyScope>map(TopologyScope.Waiting::new)
                .orElseGet(() -> declared(
                        topology.get(), cluster.orElseThrow(), all -> controlPlane(cluster.orElseThrow(), all, ref)));
    }

    private static String name(ControlPlaneRef ref) {
        return ref.kind() + " " + ref.name();
    }

    /** With what is declared known. */
    private TopologyScope controlPlane(Cluster cluster, TopologyTaints all, ControlPlaneRef ref) {
        return switch (controlPlanes.provider(ref, cluster.key().namespace())) {
            case Provider.Unknown unknown -> new TopologyScope.Waiting("the definition of " + kind(ref));
            case Provider.DefinitionsForbidden forbidden -> isNothingWanted(all)
                    ? new TopologyScope.Waiting("the right to watch definitions")
                    : stuck(cluster, Reason.DEFINITIONS_FORBIDDEN, "no right to list and watch"
                            + " customresourcedefinitions, so it is not known whether " + ref.kind() + " takes taints");
            case Provider.WithoutTaints without -> isNothingWanted(all)
                    ? new TopologyScope.NotManaged("its kind has no taints")
                    : stuck(cluster, Reason.CONTROL_PLANE_WITHOUT_TAINTS,
                            kind(ref) + " has no field for taints: see Cluster API's contract");
            case Provider.Forbidden forbidden ->
                    stuck(cluster, Reason.CONTROL_PLANE_FORBIDDEN, "no right to list and watch " + kind(ref));
            case Provider.Served served ->
                    served.objects().get(new ObjectKey(cluster.key().namespace(), ref.name()))
                            .map(found -> ready(cluster, all, ref, served, found))
                            .orElseGet(() -> new TopologyScope.Waiting(name(ref)));
        };
    }

    private static String kind(ControlPlaneRef ref) {
        return ref.kind() + " of " + ref.group();
    }

    private TopologyScope stuck(Cluster cluster, Reason reason, String message) {
        return new TopologyScope.Stuck(target(cluster), new Blocked(reason, message));
    }

    private boolean isNothingWanted(TopologyTaints all) {
        return policy.mode().wanted(all.controlPlane()).isEmpty();
    }

    private TopologyScope ready(
            Cluster cluster, TopologyTaints all, ControlPlaneRef ref, Provider.Served served, TaintHolder found) {
        if (Pause.isAnnotated(found.metadata())) {
            return new TopologyScope.Waiting("the end of the pause");
        }
        return ready(cluster, all.controlPlane(),
                new TaintList(served.kind(), served.place(), served.objects(), found));
    }

    private TopologyScope ready(Cluster cluster, MergedTaints merged, TaintList list) {
        TopologyMode mode = policy.mode();
        return new TopologyScope.Ready(
                target(cluster), mode.step(), mode.wanted(merged), mode.expected(merged), list);
    }

    /** What the Cluster and its ClusterClass declare together. */
    private TopologyScope declared(
            ClusterTopology topology, Cluster cluster, Function<TopologyTaints, TopologyScope> part) {
        if (topology.className().isEmpty()) {
            return new TopologyScope.NotManaged("its Cluster has no topology");
        }
        ObjectKey key = new ObjectKey(topology.classNamespace(), topology.className());
        return caches.classes().get(key)
                .map(clusterClass -> part.apply(TopologyTaints.of(topology, clusterClass)))
                .orElseGet(() -> stuck(cluster, Reason.CLASS_NOT_FOUND, "there is no ClusterClass " + key));
    }

    private TopologyScope machine(TaintHolder found, Cluster cluster) {
        TopologyScope ofSet = policy.propagatesTo(TopologyKind.MACHINE_SET)
                ? made(TopologyKind.MACHINE, found, TopologyKind.MACHINE_SET, PropagationStep.MACHINES)
                : new TopologyScope.NotManaged("Cluster API propagates to Machines of MachineSets");
        return ofSet instanceof TopologyScope.NotManaged ? ofPool(found, cluster) : ofSet;
    }

    /** This step is Nodeward's own: it waits for the Cluster as what the Cluster itself declares does. */
    private TopologyScope ofPool(TaintHolder found, Cluster cluster) {
        TopologyScope made =
                made(TopologyKind.MACHINE, found, TopologyKind.MACHINE_POOL, PropagationStep.POOL_MACHINES);
        return made instanceof TopologyScope.Ready ? awaited(cluster).orElse(made) : made;
    }

    /** What the object declares that made this one. */
    private TopologyScope made(TopologyKind kind, TaintHolder found, TopologyKind by, PropagationStep step) {
        Optional<TaintHolder> maker = caches.ownerOf(found, by);
        if (maker.isEmpty()) {
            return new TopologyScope.NotManaged("no " + by.text() + " has made it");
        }
        if (Pause.isAnnotated(maker.get().metadata())) {
            return new TopologyScope.Waiting("the end of the pause");
        }
        return new TopologyScope.Ready(
                target(by, maker.get()), step, maker.get().taints(), Set.of(), list(kind, found));
    }

    private TaintList list(TopologyKind kind, TaintHolder found) {
        return new TaintList(
                ObjectKind.clusterApi(management.version(kind.plural()), kind.text(), kind.plural()),
                kind == TopologyKind.MACHINE ? TaintPlace.MACHINE : TaintPlace.TEMPLATE, caches.holders(kind), found);
    }
}
