package io.nodeward.controller.topology;

import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.TaintBearer;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.topology.ControlPlanes.Provider;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.rules.topology.Hop;
import io.nodeward.core.rules.topology.MergedTaints;
import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.rules.topology.TopologyTaints;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.Resources;
import io.nodeward.core.runtime.cluster.TaintWriter;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Loads what is known of an object and of what is declared for it, from caches alone. */
final class Situations {
    private static final String DEPLOYMENT_LABEL = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL_LABEL = "topology.cluster.x-k8s.io/pool-name";

    private final ManagementCluster management;
    private final TopologyCaches caches;
    private final ControlPlanes controlPlanes;
    private final TopologyPolicy policy;

    @Inject
    Situations(
            ManagementCluster management, TopologyCaches caches, ControlPlanes controlPlanes, TopologyPolicy policy) {
        this.management = management;
        this.caches = caches;
        this.controlPlanes = controlPlanes;
        this.policy = policy;
    }

    Situation load(Task task) {
        if (!policy.carriesTo(task.level())) {
            return new Situation.NotOurs("this step is not made");
        }
        if (task.level() == Level.CONTROL_PLANE) {
            return controlPlane(task.key());
        }
        Optional<TaintBearer> found = caches.bearers(task.level()).get(task.key());
        if (found.isEmpty()) {
            return new Situation.NotOurs("it is gone");
        }
        Optional<String> awaited = awaited(found.get().cluster(), found.get().metadata());
        if (awaited.isPresent()) {
            return new Situation.Waiting(awaited.get());
        }
        return switch (task.level()) {
            case MACHINE_DEPLOYMENT -> awaitedOfCluster(found.get().cluster()).orElseGet(
                    () -> group(task, found.get(), DEPLOYMENT_LABEL, TopologyTaints.MACHINE_DEPLOYMENTS));
            case MACHINE_POOL -> awaitedOfCluster(found.get().cluster()).orElseGet(
                    () -> group(task, found.get(), POOL_LABEL, TopologyTaints.MACHINE_POOLS));
            case MACHINE_SET -> made(task, found.get(), Level.MACHINE_DEPLOYMENT, Hop.MACHINE_SETS);
            case MACHINE -> machine(task, found.get());
            case CLUSTER, CONTROL_PLANE -> new Situation.NotOurs("nothing is carried there");
        };
    }

    /** What must come before anything is written; empty if nothing. */
    private Optional<String> awaited(ObjectKey key, Metadata metadata) {
        return OwnerCluster.awaited(key, caches.clusters().get(key), metadata);
    }

    /** Likewise of what the Cluster itself declares. */
    private Optional<Situation> awaitedOfCluster(ObjectKey key) {
        return caches.clusters().get(key).filter(Pause::isPaused)
                .<Situation>map(paused -> new Situation.Waiting("the end of the pause"));
    }

    /** A MachineDeployment or MachinePool, which a label ties to a part of its Cluster's topology. */
    private Situation group(Task task, TaintBearer found, String label, String place) {
        String name = found.metadata().labels().getOrDefault(label, "");
        Optional<ClusterTopology> topology = caches.topologies().get(found.cluster());
        if (name.isEmpty() || topology.isEmpty()) {
            return new Situation.NotOurs("it is in no topology");
        }
        Declarer cluster = new Declarer(Level.CLUSTER, found.cluster());
        TaintWriter.At at = at(task.level(), found);
        return declared(topology.get(), cluster, at.toString(), all -> {
            MergedTaints merged = all.at(place).get(name);
            if (merged != null) {
                return ready(cluster, merged, at);
            }
            return all.unresolved(place, name)
                    .<Situation>map(one -> new Situation.Stuck(cluster, at.toString(), new Blocked("ClassNotFound",
                            "ClusterClass " + topology.get().className() + " does not have " + one)))
                    .orElseGet(() -> new Situation.NotOurs("the topology does not have it"));
        });
    }

    private Situation controlPlane(ObjectKey key) {
        Optional<ClusterTopology> topology = caches.topologies().get(key);
        if (topology.isEmpty()) {
            return new Situation.NotOurs("the Cluster is gone");
        }
        ControlPlaneRef ref = topology.get().controlPlaneRef();
        if (ref.equals(ControlPlaneRef.NONE)) {
            return new Situation.NotOurs("the Cluster names no control plane");
        }
        Declarer cluster = new Declarer(Level.CLUSTER, key);
        return awaited(key, topology.get().metadata()).<Situation>map(Situation.Waiting::new)
                .orElseGet(() -> declared(topology.get(), cluster, name(ref), all -> controlPlane(cluster, all, ref)));
    }

    private static String name(ControlPlaneRef ref) {
        return ref.kind() + " " + ref.name();
    }

    /** With what is declared known. */
    private Situation controlPlane(Declarer cluster, TopologyTaints all, ControlPlaneRef ref) {
        return switch (controlPlanes.provider(ref)) {
            case Provider.Unknown unknown -> new Situation.Waiting("the definition of " + kind(ref));
            case Provider.DefinitionsForbidden forbidden -> isNothingWanted(all)
                    ? new Situation.Waiting("the right to watch definitions")
                    : stuck(cluster, ref, "DefinitionsForbidden", "no right to list and watch"
                            + " customresourcedefinitions, so it is not known whether " + ref.kind() + " takes taints");
            case Provider.WithoutTaints without -> isNothingWanted(all)
                    ? new Situation.NotOurs("its kind has no taints")
                    : stuck(cluster, ref, "ControlPlaneWithoutTaints",
                            kind(ref) + " has no field for taints: see Cluster API's contract");
            case Provider.Forbidden forbidden ->
                    stuck(cluster, ref, "ControlPlaneForbidden", "no right to list and watch " + kind(ref));
            case Provider.Served served ->
                    served.objects().get(new ObjectKey(cluster.key().namespace(), ref.name()))
                            .map(found -> ready(cluster, all, ref, served, found))
                            .orElseGet(() -> new Situation.Waiting(name(ref)));
        };
    }

    private static String kind(ControlPlaneRef ref) {
        return ref.kind() + " of " + ref.group();
    }

    private static Situation stuck(Declarer cluster, ControlPlaneRef ref, String reason, String message) {
        return new Situation.Stuck(cluster, name(ref), new Blocked(reason, message));
    }

    private boolean isNothingWanted(TopologyTaints all) {
        return policy.mode().wanted(all.controlPlane()).isEmpty();
    }

    private Situation ready(
            Declarer cluster,
            TopologyTaints all,
            ControlPlaneRef ref,
            Provider.Served served,
            TaintBearer found) {
        if (Pause.isAnnotated(found.metadata())) {
            return new Situation.Waiting("the end of the pause");
        }
        return ready(cluster, all.controlPlane(),
                new TaintWriter.At(served.resource(), ref.kind(), served.place(), served.objects(), found));
    }

    private Situation ready(Declarer cluster, MergedTaints merged, TaintWriter.At at) {
        TopologyMode mode = policy.mode();
        return new Situation.Ready(cluster, mode.hop(), mode.wanted(merged), mode.expected(merged), at);
    }

    /** What the Cluster and its ClusterClass declare together. */
    private Situation declared(
            ClusterTopology topology, Declarer cluster, String name, Function<TopologyTaints, Situation> part) {
        if (topology.className().isEmpty()) {
            return new Situation.NotOurs("its Cluster has no topology");
        }
        ObjectKey key = new ObjectKey(topology.classNamespace(), topology.className());
        return caches.classes().get(key)
                .map(clusterClass -> part.apply(TopologyTaints.of(topology, clusterClass)))
                .orElseGet(() -> new Situation.Stuck(cluster, name,
                        new Blocked("ClassNotFound", "there is no ClusterClass " + key)));
    }

    private Situation machine(Task task, TaintBearer found) {
        Situation ofSet = policy.carriesTo(Level.MACHINE_SET)
                ? made(task, found, Level.MACHINE_SET, Hop.MACHINES)
                : new Situation.NotOurs("Cluster API carries to Machines of MachineSets");
        return ofSet instanceof Situation.NotOurs ? ofPool(task, found) : ofSet;
    }

    /** This step is Nodeward's own: it waits for the Cluster as what the Cluster itself declares does. */
    private Situation ofPool(Task task, TaintBearer found) {
        Situation made = made(task, found, Level.MACHINE_POOL, Hop.POOL_MACHINES);
        return made instanceof Situation.Ready ? awaitedOfCluster(found.cluster()).orElse(made) : made;
    }

    /** What the object declares that made this one. */
    private Situation made(Task task, TaintBearer found, Level by, Hop hop) {
        Optional<TaintBearer> owner = caches.ownerOf(found, by);
        if (owner.isEmpty()) {
            return new Situation.NotOurs("no " + by.kind() + " has made it");
        }
        if (Pause.isAnnotated(owner.get().metadata())) {
            return new Situation.Waiting("the end of the pause");
        }
        Declarer declarer = new Declarer(by, owner.get().key());
        return new Situation.Ready(declarer, hop, owner.get().taints(), Set.of(), at(task.level(), found));
    }

    private TaintWriter.At at(Level level, TaintBearer found) {
        return new TaintWriter.At(
                Resources.clusterApi(management.version(), level.plural()), level.kind(),
                level == Level.MACHINE ? TaintPlace.MACHINE : TaintPlace.TEMPLATE, caches.bearers(level), found);
    }
}
