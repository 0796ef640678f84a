package io.nodeward.cli.taint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds what is between an owner and its Nodes, by who owns whom: in labels, names of more than 63 characters are
 * hashes. What is being deleted does not count.
 *
 * @param cluster name of the owner's, or of the owner itself
 */
record OwnerDescendants(LiveCluster management, String cluster) {
    private static final String REPLICAS = "/replicas";

    /** @param owner as it is now */
    Descendants of(OwnerKind kind, ObjectNode owner, List<OwnerPlace> places) {
        Descendant self = Descendant.of(owner);
        return switch (kind) {
            case MACHINE -> Descendants.ofMachines(List.of(self), List.of(), 1);
            case MACHINE_SET -> Descendants.ofMachines(
                    owned(listed("machines", inCluster()), Set.of(self.uid())), List.of(), self.replicas());
            case MACHINE_DEPLOYMENT -> ofDeployments(List.of(self));
            case MACHINE_POOL -> Descendants.ofPool(self);
            case CLUSTER -> ofCluster(owner, places);
        };
    }

    private Descendants ofDeployments(List<Descendant> deployments) {
        if (deployments.isEmpty()) {
            return Descendants.NONE;
        }
        List<Descendant> sets = listed("machinesets");
        List<Descendant> machines = listed("machines", inCluster());
        return deployments.stream().map(deployment -> {
            List<Descendant> makers = new ArrayList<>(owned(sets, Set.of(deployment.uid())));
            List<Descendant> made = owned(machines, uids(makers));
            makers.addFirst(deployment);
            return Descendants.ofMachines(made, makers, deployment.replicas());
        }).reduce(Descendants.NONE, Descendants::plus);
    }

    private static List<Descendant> owned(List<Descendant> descendants, Set<String> owners) {
        return descendants.stream().filter(descendant -> owners.contains(descendant.maker())).toList();
    }

    private Descendants ofCluster(ObjectNode owner, List<OwnerPlace> places) {
        Descendants all = Descendants.NONE;
        List<OwnerPlace> deployments = of(OwnerKind.MACHINE_DEPLOYMENT, places);
        if (!deployments.isEmpty()) {
            List<Descendant> found = named(listed("machinedeployments"), deployments);
            all = all.plus(ofDeployments(found)).plus(toCome(owner, deployments, found));
        }
        List<OwnerPlace> pools = of(OwnerKind.MACHINE_POOL, places);
        if (!pools.isEmpty()) {
            List<Descendant> found = named(listed("machinepools"), pools);
            all = found.stream().map(Descendants::ofPool).reduce(all, Descendants::plus)
                    .plus(toCome(owner, pools, found));
        }
        return of(OwnerKind.MACHINE, places).isEmpty() ? all : all.plus(controlPlane(owner));
    }

    private static List<OwnerPlace> of(OwnerKind kind, List<OwnerPlace> places) {
        return places.stream().filter(place -> place.members() == kind).toList();
    }

    private static List<Descendant> named(List<Descendant> descendants, List<OwnerPlace> places) {
        Set<String> names = places.stream().map(OwnerPlace::name).collect(Collectors.toSet());
        return descendants.stream().filter(descendant -> names.contains(descendant.group())).toList();
    }

    /** What the topology has, and Cluster API has not made yet. */
    private static Descendants toCome(ObjectNode owner, List<OwnerPlace> places, List<Descendant> found) {
        Set<String> there = found.stream().map(Descendant::group).collect(Collectors.toSet());
        return Descendants.toCome(places.stream().filter(place -> !there.contains(place.name()))
                .mapToInt(place -> owner.at(place.parent() + REPLICAS).asInt(1)).sum());
    }

    private Descendants controlPlane(ObjectNode owner) {
        String selector = inCluster() + "," + ClusterApi.CONTROL_PLANE_LABEL;
        List<Descendant> machines = listed("machines", selector);
        // Who may not see how many it wants waits for one at least; a provider without Machines wants none.
        return Descendants.ofMachines(machines, List.of(), controlPlaneReplicas(owner).orElse(1));
    }

    private OptionalInt controlPlaneReplicas(ObjectNode owner) {
        if (owner.at("/spec/topology/controlPlane/replicas").isInt()) {
            return OptionalInt.of(owner.at("/spec/topology/controlPlane/replicas").asInt());
        }
        JsonNode reference = owner.at("/spec/controlPlaneRef");
        ObjectKey key = new ObjectKey(management.namespace(), reference.path("name").asText());
        if (key.name().isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            return management.kindOf(reference)
                    .flatMap(kind -> management.find(kind, key))
                    .map(object -> OptionalInt.of(object.at("/spec/replicas").asInt(0)))
                    .orElse(OptionalInt.empty());
        } catch (LiveFailure failure) {
            if (failure.isForbidden()) {
                return OptionalInt.empty();
            }
            throw failure;
        }
    }

    /** Of all Machines of a namespace not all need to be read; this label is never a hash. */
    private String inCluster() {
        return ClusterApi.CLUSTER_NAME_LABEL + "=" + cluster;
    }

    private List<Descendant> listed(String plural) {
        return listed(plural, "");
    }

    private List<Descendant> listed(String plural, String selector) {
        return management.list(management.clusterApi(plural), management.namespace(), selector, "", Descendant::of)
                .stream()
                .filter(descendant -> !descendant.deleting() && descendant.cluster().equals(cluster))
                .toList();
    }

    private static Set<String> uids(List<Descendant> descendants) {
        return descendants.stream().map(Descendant::uid).collect(Collectors.toSet());
    }
}
