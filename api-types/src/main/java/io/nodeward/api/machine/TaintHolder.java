package io.nodeward.api.machine;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/**
 * An object with a list of declared taints, whatever its kind, and who owns what of the list.
 *
 * @param clusterName {@code spec.clusterName}; empty for kinds without one, as control planes
 * @param owners who owns anything of the list, and besides all who write to the object by server-side apply
 * @param conditions Nodeward's own
 * @param replicas {@code status.replicas}: how many Machines there are of it; 0 for kinds without
 */
public record TaintHolder(
        Metadata metadata,
        String clusterName,
        List<MachineTaint> taints,
        List<TaintOwner> owners,
        List<Condition> conditions,
        int replicas)
        implements KubernetesObject {
    public TaintHolder {
        taints = List.copyOf(taints);
        owners = List.copyOf(owners);
        conditions = List.copyOf(conditions);
    }

    public ObjectKey cluster() {
        return new ObjectKey(metadata.key().namespace(), clusterName);
    }

    @Override
    public TaintHolder withResourceVersion(String resourceVersion) {
        return new TaintHolder(
                metadata.withResourceVersion(resourceVersion), clusterName, taints, owners, conditions, replicas);
    }
}
