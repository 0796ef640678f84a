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
 * @param truncatedFields the fields of the metadata that are longer than is kept of one Machine: it has no label and no
 *     annotation here then, but for that which pauses it
 */
public record Machine(
        Metadata metadata,
        String clusterName,
        String providerId,
        String nodeName,
        List<MachineTaint> taints,
        List<Condition> conditions,
        List<String> truncatedFields)
        implements KubernetesObject {
    /** Characters of the labels and annotations that are kept of a Machine. */
    public static final int MOST_CHARACTERS = 1 << 16;
    private static final int PER_ELEMENT = 300;

    public Machine {
        taints = List.copyOf(taints);
        conditions = List.copyOf(conditions);
        truncatedFields = List.copyOf(truncatedFields);
    }

    /** Makes one of which all is known. */
    public Machine(
            Metadata metadata, String clusterName, String providerId, String nodeName, List<MachineTaint> taints,
            List<Condition> conditions) {
        this(metadata, clusterName, providerId, nodeName, taints, conditions, List.of());
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
                metadata.withResourceVersion(resourceVersion), clusterName, providerId, nodeName, taints, conditions,
                truncatedFields);
    }

    @Override
    public long heapBytes() {
        return KubernetesObject.super.heapBytes() + clusterName.length() + providerId.length() + nodeName.length()
                + (long) PER_ELEMENT * (taints.size() + conditions.size());
    }

    /** Equal for two versions of a Machine that ask the same of its Node. */
    public Machine declaration() {
        return new Machine(metadata.withResourceVersion(""), clusterName, providerId, nodeName, taints, List.of(),
                truncatedFields);
    }

    /** Equal for two versions of a Machine that claim the same Node. */
    public List<String> claim() {
        return List.of(clusterName, providerId, nodeName);
    }
}
