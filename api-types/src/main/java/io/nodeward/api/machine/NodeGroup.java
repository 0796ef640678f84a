package io.nodeward.api.machine;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A MachineDeployment, MachineSet or MachinePool as the cluster-autoscaler sees it, from v1beta2 or v1beta1. Whether it
 * is a node group its metadata says.
 *
 * @param template what it declares for its Nodes
 * @param infrastructure the object that provides the machines, or its template
 * @param appliers who has applied an annotation of {@link CapacityAnnotations}, by annotation; with server-side apply or, as {@link
 *     #CLIENT_SIDE_APPLY}, without
 * @param conditions Nodeward's own
 */
public record NodeGroup(
        Metadata metadata,
        String clusterName,
        MachinePool.Template template,
        MachinePool.InfrastructureRef infrastructure,
        Map<String, Set<String>> appliers,
        List<Condition> conditions)
        implements KubernetesObject {
    /** Stands for clients that apply a manifest without server-side apply and remember it in the object. */
    public static final String CLIENT_SIDE_APPLY = "kubectl-client-side-apply";

    public NodeGroup {
        Map<String, Set<String>> copies = new TreeMap<>();
        appliers.forEach((annotation, managers) -> copies.put(annotation, Set.copyOf(managers)));
        appliers = Map.copyOf(copies);
        conditions = List.copyOf(conditions);
    }

    public ObjectKey cluster() {
        return new ObjectKey(metadata.key().namespace(), clusterName);
    }

    /** Who applies this annotation; empty if nobody does. */
    public Set<String> appliers(String annotation) {
        return appliers.getOrDefault(annotation, Set.of());
    }

    @Override
    public NodeGroup withResourceVersion(String resourceVersion) {
        return new NodeGroup(
                metadata.withResourceVersion(resourceVersion), clusterName, template, infrastructure, appliers,
                conditions);
    }

    /** As it is after a write of its metadata, to which the server replied with {@code reply}. */
    public NodeGroup withMetadataOf(NodeGroup reply) {
        return new NodeGroup(reply.metadata, clusterName, template, infrastructure, reply.appliers, conditions);
    }

    /** Equal for two versions that advertise the same to the autoscaler. */
    public NodeGroup declaration() {
        return new NodeGroup(
                metadata.withResourceVersion(""), clusterName, template, infrastructure, appliers, List.of());
    }
}
