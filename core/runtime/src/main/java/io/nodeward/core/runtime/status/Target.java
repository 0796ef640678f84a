package io.nodeward.core.runtime.status;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.json.Trees;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Optional;

/**
 * An object that Events and conditions are written about.
 *
 * @param conditions Nodeward's own that it has
 * @param deleting whether it is being deleted: then nothing of it is missed
 * @param generation of its spec, where its conditions name that; else 0
 * @param status what it shows besides conditions; empty but on a kind of our own
 * @param details what its status is to show besides the condition of the decision; empty to leave that as it is
 */
public record Target(
        Resource resource,
        Event.Regarding regarding,
        List<Condition> conditions,
        boolean deleting,
        long generation,
        Tree status,
        Optional<StatusDetails> details) {
    /** Of a kind whose conditions name no generation. */
    public Target(Resource resource, Event.Regarding regarding, List<Condition> conditions, boolean deleting) {
        this(resource, regarding, conditions, deleting, 0, Tree.ABSENT, Optional.empty());
    }

    /** Of a kind of our own. */
    public static Target of(CustomResourceDefinition definition, CustomResource<?> object) {
        Resource resource = Resource.of(definition);
        return new Target(resource, regarding(resource, definition.kind(), object), object.conditions(),
                object.metadata().deleting(), object.generation(), Trees.read(object.status()), Optional.empty());
    }

    /** The same, whose status is to show these besides the condition of the decision. */
    public Target with(StatusDetails shown) {
        return new Target(resource, regarding, conditions, deleting, generation, status, Optional.of(shown));
    }

    /** @param version of Cluster API that the management cluster serves */
    public static Target of(String version, Machine machine) {
        return of(version, "Machine", "machines", machine, machine.conditions());
    }

    public static Target of(String version, MachinePool pool) {
        return of(version, "MachinePool", "machinepools", pool, pool.conditions());
    }

    public static Target of(String version, Cluster cluster) {
        return of(version, "Cluster", "clusters", cluster, cluster.conditions());
    }

    /**
     * Of any kind of Cluster API.
     *
     * @param plural as in paths, for example {@code machinesets}
     */
    public static Target of(
            String version, String kind, String plural, KubernetesObject object, List<Condition> conditions) {
        Resource resource = new Resource(ClusterApi.GROUP, version, plural, true);
        return new Target(
                resource, regarding(resource, kind, object), conditions, object.metadata().deleting());
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
