package io.nodeward.api.machine;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Optional;

/**
 * A Cluster API Machine, from v1beta2 or v1beta1: what both have in common is all that is read.
 *
 * @param providerId empty until the infrastructure has set it
 * @param nodeName {@code status.nodeRef.name}, empty until the Node was found
 * @param conditions Nodeward's own
 */
public record Machine(
        Metadata metadata,
        String clusterName,
        String providerId,
        String nodeName,
        List<MachineTaint> taints,
        List<Condition> conditions)
        implements KubernetesObject {
    public Machine {
        taints = List.copyOf(taints);
        conditions = List.copyOf(conditions);
    }

    public ObjectKey cluster() {
        return new ObjectKey(metadata.key().namespace(), clusterName);
    }

    /** The MachinePool that made it: the one that controls it. Any other owner only keeps it from being collected. */
    public Optional<ObjectKey> pool() {
        return metadata.owners().stream().filter(owner -> owner.controller()
                && owner.kind().equals("MachinePool") && owner.group().equals(ClusterApi.GROUP)).findFirst()
                .map(owner -> new ObjectKey(metadata.key().namespace(), owner.name()));
    }

    @Override
    public Machine withResourceVersion(String resourceVersion) {
        return new Machine(
                metadata.withResourceVersion(resourceVersion), clusterName, providerId, nodeName, taints, conditions);
    }

    /** Equal for two versions of a Machine that ask the same of its Node. */
    public Machine declaration() {
        return new Machine(metadata.withResourceVersion(""), clusterName, providerId, nodeName, taints, List.of());
    }

    /** Equal for two versions of a Machine that claim the same Node. */
    public List<String> claim() {
        return List.of(clusterName, providerId, nodeName);
    }
}
