package io.nodeward.controller.topology;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.fleet.Lineage;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import jakarta.inject.Inject;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects between Clusters and Machines, as last seen; of kinds the policy does not read there are none. */
final class TopologyCaches {
    private static final Index<ClusterTopology> BY_CLASS = Index.of("class",
            c -> c.className().isEmpty() ? "" : new ObjectKey(c.classNamespace(), c.className()).toString());
    private static final Index<ClusterTopology> BY_CONTROL_PLANE = Index.of("controlPlane",
            c -> c.className().isEmpty() ? "" : text(c.controlPlaneRef(), c.key().namespace()));
    private static final Index<ClusterTopology> BY_PROVIDER = Index.of("provider",
            c -> c.className().isEmpty() ? "" : kind(c.controlPlaneRef().group(), c.controlPlaneRef().kind()));
    private static final Index<TaintHolder> BY_CLUSTER =
            Index.of("cluster", holder -> holder.clusterName().isEmpty() ? "" : holder.cluster().toString());
    private static final Index<TaintHolder> BY_OWNER =
            Index.of("owner", holder -> Lineage.maker(holder.metadata().owners()).map(OwnerRef::uid).orElse(""));

    private final TopologyPolicy policy;
    private final ManagementCluster management;
    private final ObjectCache<ClusterTopology> topologies;
    private final ObjectCache<ClusterClass> classes;
    private final Map<TopologyKind, ObjectCache<TaintHolder>> holders = new EnumMap<>(TopologyKind.class);

    @Inject
    TopologyCaches(ManagementCluster management, TopologyPolicy policy) {
        this.management = management;
        this.policy = policy;
        topologies = watch(TopologyKind.CLUSTER, Projection.CLUSTER_TOPOLOGY, BY_CLASS, BY_CONTROL_PLANE, BY_PROVIDER);
        // One class may be that of many Clusters, in other namespaces and with other filters.
        classes = policy.topologies()
                ? management.watchAll("clusterclasses", Projection.CLUSTER_CLASS)
                : empty();
        Projection<TaintHolder> templates = Projection.taintHolder(TaintPlace.TEMPLATE);
        for (TopologyKind kind : List.of(
                TopologyKind.MACHINE_DEPLOYMENT, TopologyKind.MACHINE_POOL, TopologyKind.MACHINE_SET)) {
            holders.put(kind, watch(kind, templates, BY_CLUSTER, BY_OWNER));
        }
        holders.put(TopologyKind.MACHINE,
                watch(TopologyKind.MACHINE, Projection.taintHolder(TaintPlace.MACHINE), BY_CLUSTER, BY_OWNER));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    private <T extends KubernetesObject> ObjectCache<T> watch(
            TopologyKind kind, Projection<T> projection, Index<T>... indexes) {
        return policy.reads(kind)
                ? management.watch(kind.plural(), projection, indexes)
                : empty(indexes);
    }

    /** Of a kind that is not read: nobody has to wait for it. */
    @SafeVarargs
    @SuppressWarnings("varargs") // handed on to one who is as safe
    private static <T extends KubernetesObject> ObjectCache<T> empty(Index<T>... indexes) {
        ObjectCache<T> cache = new ObjectCache<>(indexes);
        cache.replaceWithNothing();
        return cache;
    }

    ObjectCache<Cluster> clusters() {
        return management.clusters();
    }

    ObjectCache<ClusterTopology> topologies() {
        return topologies;
    }

    ObjectCache<ClusterClass> classes() {
        return classes;
    }

    /** Of MachineDeployments, MachinePools, MachineSets or Machines. */
    ObjectCache<TaintHolder> holders(TopologyKind kind) {
        ObjectCache<TaintHolder> cache = holders.get(kind);
        if (cache == null) {
            throw new IllegalArgumentException("no cache of each " + kind.text());
        }
        return cache;
    }

    /** Clusters whose topology is of this ClusterClass. */
    List<ClusterTopology> ofClass(ObjectKey clusterClass) {
        return topologies.find(BY_CLASS, clusterClass.toString());
    }

    /** Clusters with a topology whose control plane this is. */
    List<ClusterTopology> withControlPlane(String group, String kind, ObjectKey key) {
        return topologies.find(BY_CONTROL_PLANE, text(new ControlPlaneRef(group, kind, key.name()), key.namespace()));
    }

    /** Clusters with a topology whose control plane is of this kind. */
    List<ClusterTopology> withControlPlanes(String group, String kind) {
        return topologies.find(BY_PROVIDER, kind(group, kind));
    }

    /** Whether there is any of these, in constant time: asked at each change of a Cluster, under the cache's lock. */
    boolean hasControlPlanes(String group, String kind) {
        return topologies.has(BY_PROVIDER, kind(group, kind));
    }

    List<TaintHolder> ofCluster(TopologyKind kind, ObjectKey cluster) {
        return holders(kind).find(BY_CLUSTER, cluster.toString());
    }

    /** Those that an object made. */
    List<TaintHolder> ownedBy(TopologyKind kind, TaintHolder owner) {
        return owner.metadata().uid().isEmpty() ? List.of() : holders(kind).find(BY_OWNER, owner.metadata().uid());
    }

    /** Who made an object; empty if it is of no such kind, is not known, or there is another of its name by now. */
    Optional<TaintHolder> ownerOf(TaintHolder owned, TopologyKind kind) {
        return Lineage.maker(owned.metadata().owners()).filter(maker -> maker.kind().equals(kind.text()))
                .flatMap(maker -> holders(kind).get(new ObjectKey(owned.key().namespace(), maker.name()))
                        .filter(found -> Lineage.isTo(maker, found.metadata().uid())));
    }

    private static String kind(String group, String kind) {
        return group.isEmpty() || kind.isEmpty() ? "" : kind + "." + group;
    }

    private static String text(ControlPlaneRef ref, String namespace) {
        String kind = kind(ref.group(), ref.kind());
        return kind.isEmpty() ? "" : kind + " " + namespace + "/" + ref.name();
    }
}
