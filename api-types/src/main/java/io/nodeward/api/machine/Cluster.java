package io.nodeward.api.machine;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A Cluster API Cluster, from v1beta2 or v1beta1.
 *
 * @param paused {@code spec.paused}; the pause annotation is on {@link #metadata()}
 * @param controlPlane kind and name of {@code spec.controlPlaneRef}
 * @param conditions Nodeward's own
 */
public record Cluster(
        Metadata metadata,
        boolean paused,
        ControlPlaneRef controlPlane,
        Initialization initialization,
        List<Condition> conditions)
        implements KubernetesObject {
    /** The object that makes the control plane; both empty if the Cluster names none. */
    public record ControlPlaneRef(String kind, String name) {
        public static final ControlPlaneRef NONE = new ControlPlaneRef("", "");
    }

    /** How far a workload cluster has come, as the status says. */
    public enum Initialization {
        /** Nobody keeps the status: there is no Cluster API manager here. */
        NOT_REPORTED,
        AWAITING_INFRASTRUCTURE,
        AWAITING_CONTROL_PLANE,
        INITIALIZED
    }

    public Cluster {
        conditions = List.copyOf(conditions);
    }

    /** Whether an object of this Cluster, or the Cluster itself, is paused, as Cluster API decides it. */
    public boolean pauses(Metadata object) {
        return paused || object.annotations().containsKey(ClusterApi.PAUSED_ANNOTATION);
    }

    @Override
    public Cluster withResourceVersion(String resourceVersion) {
        return new Cluster(
                metadata.withResourceVersion(resourceVersion), paused, controlPlane, initialization, conditions);
    }
}
