package io.nodeward.cli.device;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.Optional;

/** The pods of the cluster, which are asked for one by one: few use one device. */
public interface Pods {
    /** The pod, if it is there and may be read. */
    Optional<Pod> find(ObjectKey key);

    /** Why one that was asked for may be there all the same, if it may. */
    Optional<String> gap();
}
