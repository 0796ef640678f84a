package io.nodeward.api.machine;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * An object with a list of declared taints, whatever its kind, and who owns what of the list.
 *
 * @param owners who owns anything of the list, and besides all who write to the object by server-side apply
 */
public record TaintBearer(Metadata metadata, List<MachineTaint> taints, List<TaintOwner> owners)
        implements KubernetesObject {
    public TaintBearer {
        taints = List.copyOf(taints);
        owners = List.copyOf(owners);
    }

    @Override
    public TaintBearer withResourceVersion(String resourceVersion) {
        return new TaintBearer(metadata.withResourceVersion(resourceVersion), taints, owners);
    }
}
