package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.ClusterTopology.Workers;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.core.rules.origin.Level;
import io.nodeward.core.rules.origin.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who declares taints for a Machine or MachinePool, from it up to the ClusterClass. */
public final class Ancestry {
    private static final String DEPLOYMENT_NAME = "topology.cluster.x-k8s.io/deployment-name";
    private static final String POOL_NAME = "topology.cluster.x-k8s.io/pool-name";
    private static final List<String> MAKERS = List.of("MachineSet", "MachineDeployment", "MachinePool");

    private final Fleet fleet;

    public Ancestry(Fleet fleet) {
        this.fleet = fleet;
    }

    /** The nearest first. */
    public List<Level> of(Document nearest) {
        Optional<Document> cluster = cluster(nearest);
        Levels levels = new Levels(cluster.filter(Ancestry::isPaused).isPresent());
        List<Level> chain = new ArrayList<>();
        Optional<Document> next = Optional.of(nearest);
        Document top = nearest;
        while (next.isPresent() && chain.size() < Source.values().length) {
            top = next.get();
            chain.add(levels.of(source(top), top));
            next = controller(top);
        }
        if (cluster.isPresent()) {
            topology(cluster.get(), top, levels, chain);
        }
        return chain;
    }

    private Optional<Document> cluster(Document document) {
        String name = document.json().at("/spec/clusterName").asText();
        return fleet.find(new Document.Id(ClusterApi.GROUP, "Cluster",
                new ObjectKey(document.id().key().namespace(), name)));
    }

    /** Whether a Cluster is, and with it all that belongs to it. */
    public static boolean isPaused(Document cluster) {
        return cluster.json().at("/spec/paused").asBoolean()
                || cluster.json().at("/metadata/annotations").has(ClusterApi.PAUSED_ANNOTATION);
    }

    /** What the Cluster and its class declare for a group of Machines; nothing if the topology did not make it. */
    private void topology(Document cluster, Document group, Levels levels, List<Level> chain) {
        ClusterTopology topology = fleet.topology(cluster);
        if (topology.className().isEmpty()) {
            return;
        }
        JsonNode labels = group.json().at("/metadata/labels");
        if (!labels.has(ClusterApi.TOPOLOGY_OWNED_LABEL)) {
            return;
        }
        switch (source(group)) {
            case MACHINE_DEPLOYMENT -> workers(cluster, topology.machineDeployments(), "machineDeployments",
                    labels.path(DEPLOYMENT_NAME).asText(), levels, chain);
            case MACHINE_POOL -> workers(cluster, topology.machinePools(), "machinePools",
                    labels.path(POOL_NAME).asText(), levels, chain);
            case CONTROL_PLANE -> {
                chain.add(levels.of(Source.CLUSTER, cluster, Levels.controlPlane(), ""));
                clusterClass(topology).ifPresent(found -> chain.add(
                        levels.of(Source.CLUSTER_CLASS, found, Levels.controlPlane(), "")));
            }
            default -> {}
        }
    }

    private void workers(Document cluster, List<Workers> groups, String list, String name, Levels levels,
            List<Level> chain) {
        Optional<Workers> group = groups.stream().filter(workers -> workers.name().equals(name)).findFirst();
        if (group.isPresent()) {
            chain.add(levels.of(Source.CLUSTER, cluster, list, name));
            clusterClass(fleet.topology(cluster)).ifPresent(found -> chain.add(
                    levels.of(Source.CLUSTER_CLASS, found, list, group.get().className())));
        }
    }

    private Optional<Document> clusterClass(ClusterTopology topology) {
        return classOf(topology).flatMap(key -> fleet.find(
                new Document.Id(ClusterApi.GROUP, "ClusterClass", key)));
    }

    /** The ClusterClass that a topology is made of; empty if there is no topology. */
    public static Optional<ObjectKey> classOf(ClusterTopology topology) {
        return topology.className().isEmpty()
                ? Optional.empty()
                : Optional.of(new ObjectKey(topology.classNamespace(), topology.className()));
    }

    /** The object that made this one and looks after it, if it is one that declares taints. */
    public Optional<Document> controller(Document document) {
        for (JsonNode owner : document.json().at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return controller(owner, document.id().key().namespace());
            }
        }
        return Optional.empty();
    }

    private Optional<Document> controller(JsonNode owner, String namespace) {
        String group = owner.path("apiVersion").asText().split("/")[0];
        String kind = owner.path("kind").asText();
        boolean makes = group.equals(ClusterApi.GROUP) && MAKERS.contains(kind) || group.startsWith("controlplane.");
        String uid = owner.path("uid").asText();
        return makes
                ? fleet.find(new Document.Id(group, kind, new ObjectKey(namespace, owner.path("name").asText())))
                        .filter(found -> isSame(uid, found.json().at("/metadata/uid").asText()))
                : Optional.empty();
    }

    /** One that was made anew under the same name is another; what is written by hand has no uid. */
    private static boolean isSame(String uid, String other) {
        return uid.isEmpty() || other.isEmpty() || uid.equals(other);
    }

    /** What an object is among those that declare. */
    public static Source source(Document document) {
        return switch (document.id().kind()) {
            case "Machine" -> Source.MACHINE;
            case "MachineSet" -> Source.MACHINE_SET;
            case "MachineDeployment" -> Source.MACHINE_DEPLOYMENT;
            case "MachinePool" -> Source.MACHINE_POOL;
            default -> Source.CONTROL_PLANE;
        };
    }
}
