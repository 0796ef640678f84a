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
 */
final class OwnerMembers {
    private static final String REPLICAS = "/replicas";

    private final LiveCluster management;
    private final String cluster;

    /** @param cluster name of the owner's, or of the owner itself */
    OwnerMembers(LiveCluster management, String cluster) {
        this.management = management;
        this.cluster = cluster;
    }

    /** @param owner as it is now */
    Members of(OwnerKind kind, ObjectNode owner, List<OwnerPlace> places) {
        Member self = Member.of(owner);
        return switch (kind) {
            case MACHINE -> Members.ofMachines(List.of(self), List.of(), 1);
            case MACHINE_SET -> Members.ofMachines(
                    owned(listed("machines", inCluster()), Set.of(self.uid())), List.of(), self.replicas());
            case MACHINE_DEPLOYMENT -> ofDeployments(List.of(self));
            case MACHINE_POOL -> Members.ofPool(self);
            case CLUSTER -> ofCluster(owner, places);
        };
    }

    private Members ofDeployments(List<Member> deployments) {
        if (deployments.isEmpty()) {
            return Members.NONE;
        }
        List<Member> sets = listed("machinesets");
        List<Member> machines = listed("machines", inCluster());
        return deployments.stream().map(deployment -> {
            List<Member> makers = new ArrayList<>(owned(sets, Set.of(deployment.uid())));
            List<Member> made = owned(machines, uids(makers));
            makers.addFirst(deployment);
            return Members.ofMachines(made, makers, deployment.replicas());
        }).reduce(Members.NONE, Members::plus);
    }

    private static List<Member> owned(List<Member> members, Set<String> owners) {
        return members.stream().filter(member -> owners.contains(member.maker())).toList();
    }

    private Members ofCluster(ObjectNode owner, List<OwnerPlace> places) {
        Members all = Members.NONE;
        List<OwnerPlace> deployments = of(OwnerKind.MACHINE_DEPLOYMENT, places);
        if (!deployments.isEmpty()) {
            List<Member> found = named(listed("machinedeployments"), deployments);
            all = all.plus(ofDeployments(found)).plus(toCome(owner, deployments, found));
        }
        List<OwnerPlace> pools = of(OwnerKind.MACHINE_POOL, places);
        if (!pools.isEmpty()) {
            List<Member> found = named(listed("machinepools"), pools);
            all = found.stream().map(Members::ofPool).reduce(all, Members::plus).plus(toCome(owner, pools, found));
        }
        return of(OwnerKind.MACHINE, places).isEmpty() ? all : all.plus(controlPlane(owner));
    }

    private static List<OwnerPlace> of(OwnerKind members, List<OwnerPlace> places) {
        return places.stream().filter(place -> place.members() == members).toList();
    }

    private static List<Member> named(List<Member> members, List<OwnerPlace> places) {
        Set<String> names = places.stream().map(OwnerPlace::name).collect(Collectors.toSet());
        return members.stream().filter(member -> names.contains(member.group())).toList();
    }

    /** What the topology has, and Cluster API has not made yet. */
    private static Members toCome(ObjectNode owner, List<OwnerPlace> places, List<Member> found) {
        Set<String> there = found.stream().map(Member::group).collect(Collectors.toSet());
        return Members.toCome(places.stream().filter(place -> !there.contains(place.name()))
                .mapToInt(place -> owner.at(place.parent() + REPLICAS).asInt(1)).sum());
    }

    private Members controlPlane(ObjectNode owner) {
        String selector = inCluster() + "," + ClusterApi.CONTROL_PLANE_LABEL;
        List<Member> machines = listed("machines", selector);
        // Who may not see how many it wants waits for one at least; a provider without Machines wants none.
        return Members.ofMachines(machines, List.of(), controlPlaneReplicas(owner).orElse(1));
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

    private List<Member> listed(String plural) {
        return listed(plural, "");
    }

    private List<Member> listed(String plural, String selector) {
        return management.list(management.clusterApi(plural), management.namespace(), selector, "", Member::of).stream()
                .filter(member -> !member.deleting() && member.cluster().equals(cluster))
                .toList();
    }

    private static Set<String> uids(List<Member> members) {
        return members.stream().map(Member::uid).collect(Collectors.toSet());
    }
}
