package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.OwnerReferences;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.Lineage;
import io.nodeward.core.rules.origin.DeclaringObject;
import io.nodeward.core.rules.origin.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who declares taints for a Machine or MachinePool, from it up to the ClusterClass. */
public record Ancestry(Snapshot snapshot) {
    private static final String DEPLOYMENT_NAME = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL_NAME = "topology.cluster.x-k8s.io/pool-name";

    /**
     * Those who declare for one object.
     *
     * @param levels the nearest first
     * @param unread who may declare above all of them, but is not known; empty if nobody may
     */
    public record Chain(List<DeclaringObject> levels, Optional<String> unread) {
        public Chain {
            levels = List.copyOf(levels);
        }
    }

    public Chain of(Manifest nearest) {
        Optional<Manifest> cluster = cluster(nearest);
        DeclaringObjects levels = new DeclaringObjects(cluster);
        List<DeclaringObject> chain = new ArrayList<>();
        Optional<Manifest> next = Optional.of(nearest);
        Manifest top = nearest;
        while (next.isPresent() && chain.size() < Source.values().length) {
            top = next.get();
            chain.add(levels.of(source(top), top, last(chain)));
            next = controller(top);
        }
        Manifest last = top;
        Optional<String> unread = OwnerReferences.maker(top.json()).map(maker -> id(maker, last).toString());
        if (unread.isEmpty() && top.json().at("/metadata/labels").has(ClusterApi.TOPOLOGY_OWNED_LABEL)) {
            unread = cluster.isPresent()
                    ? topology(cluster.get(), top, levels, chain)
                    : Optional.of(clusterId(nearest).toString());
        }
        return new Chain(chain, unread);
    }

    private Optional<Manifest> cluster(Manifest manifest) {
        return snapshot.find(clusterId(manifest));
    }

    private static Manifest.Id clusterId(Manifest manifest) {
        return new Manifest.Id(ClusterApi.GROUP, "Cluster", new ObjectKey(
                manifest.id().key().namespace(), manifest.json().at("/spec/clusterName").asText()));
    }

    /**
     * Adds what the Cluster and its class declare for a group of Machines that its topology made.
     *
     * @return the class, if it is not known
     */
    private Optional<String> topology(Manifest cluster, Manifest group, DeclaringObjects levels,
            List<DeclaringObject> chain) {
        ClusterTopology topology = snapshot.topology(cluster);
        JsonNode labels = group.json().at("/metadata/labels");
        return topology.className().isEmpty() ? Optional.empty() : switch (source(group)) {
            case MACHINE_DEPLOYMENT -> workers(cluster, topology.machineDeployments(), "machineDeployments",
                    labels.path(DEPLOYMENT_NAME).asText(), levels, chain);
            case MACHINE_POOL -> workers(cluster, topology.machinePools(), "machinePools",
                    labels.path(POOL_NAME).asText(), levels, chain);
            case CONTROL_PLANE -> {
                chain.add(levels.of(Source.CLUSTER, cluster, DeclaringObjects.controlPlane(), "", last(chain)));
                yield ofClass(topology, DeclaringObjects.controlPlane(), "", levels, chain);
            }
            default -> Optional.empty();
        };
    }

    private static Optional<DeclaringObject> last(List<DeclaringObject> chain) {
        return chain.isEmpty() ? Optional.empty() : Optional.of(chain.getLast());
    }

    private Optional<String> workers(Manifest cluster, List<Workers> groups, String list, String name,
            DeclaringObjects levels,
            List<DeclaringObject> chain) {
        Optional<Workers> group = groups.stream().filter(workers -> workers.name().equals(name)).findFirst();
        if (group.isEmpty()) {
            return Optional.empty();
        }
        chain.add(levels.of(Source.CLUSTER, cluster, list, name, last(chain)));
        return ofClass(snapshot.topology(cluster), list, group.get().className(), levels, chain);
    }

    private Optional<String> ofClass(
            ClusterTopology topology, String list, String element, DeclaringObjects levels,
            List<DeclaringObject> chain) {
        Optional<Manifest> found = clusterClass(topology);
        found.ifPresent(manifest -> chain
                .add(levels.of(Source.CLUSTER_CLASS, manifest, list, element, last(chain))));
        return found.isPresent() ? Optional.empty() : classOf(topology).map(key -> "ClusterClass " + key);
    }

    private Optional<Manifest> clusterClass(ClusterTopology topology) {
        return classOf(topology).flatMap(key -> snapshot.find(
                new Manifest.Id(ClusterApi.GROUP, "ClusterClass", key)));
    }

    /** The ClusterClass that a topology is made of; empty if there is no topology. */
    public static Optional<ObjectKey> classOf(ClusterTopology topology) {
        return topology.className().isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectKey(topology.classNamespace(), topology.className()));
    }

    /** The object that made this one and looks after it, if it is one that declares taints. */
    public Optional<Manifest> controller(Manifest manifest) {
        return OwnerReferences.maker(manifest.json()).flatMap(maker -> snapshot.find(id(maker, manifest))
                .filter(found -> Lineage.isTo(maker, found.json().at("/metadata/uid").asText())));
    }

    private static Manifest.Id id(OwnerRef maker, Manifest made) {
        return new Manifest.Id(Lineage.group(maker), maker.kind(),
                new ObjectKey(made.id().key().namespace(), maker.name()));
    }

    /** What an object is among those that declare. */
    public static Source source(Manifest manifest) {
        return switch (manifest.id().kind()) {
            case "Machine" -> Source.MACHINE;
            case "MachineSet" -> Source.MACHINE_SET;
            case "MachineDeployment" -> Source.MACHINE_DEPLOYMENT;
            case "MachinePool" -> Source.MACHINE_POOL;
            default -> Source.CONTROL_PLANE;
        };
    }
}
