package io.nodeward.core.runtime.cluster;

import io.nodeward.api.core.Event;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.spi.Resource;
import java.util.List;

/**
 * An object of the management cluster that Events and conditions are written about.
 *
 * @param conditions Nodeward's own that it has
 */
public record Target(Resource resource, Event.Regarding regarding, List<Condition> conditions) {
    public static Target of(ManagementCluster management, Machine machine) {
        Resource resource = Resources.machines(management.version());
        return new Target(resource, regarding(resource, "Machine", machine), machine.conditions());
    }

    public static Target of(ManagementCluster management, MachinePool pool) {
        Resource resource = Resources.machinePools(management.version());
        return new Target(resource, regarding(resource, "MachinePool", pool), pool.conditions());
    }

    /**
     * Of any kind of Cluster API.
     *
     * @param plural as in paths, for example {@code machinesets}
     */
    public static Target of(
            ManagementCluster management,
            String kind,
            String plural,
            KubernetesObject object,
            List<Condition> conditions) {
        Resource resource = Resources.clusterApi(management.version(), plural);
        return new Target(resource, regarding(resource, kind, object), conditions);
    }

    static Target of(ManagementCluster management, Cluster cluster) {
        Resource resource = Resources.clusters(management.version());
        return new Target(resource, regarding(resource, "Cluster", cluster), cluster.conditions());
    }

    private static Event.Regarding regarding(Resource resource, String kind, KubernetesObject object) {
        return new Event.Regarding(
                resource.apiVersion(),
                kind,
                object.key(),
                object.metadata().uid(),
                object.metadata().resourceVersion());
    }
}
