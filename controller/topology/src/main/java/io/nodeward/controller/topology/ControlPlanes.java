package io.nodeward.controller.topology;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.ClusterTopology.ControlPlaneRef;
import io.nodeward.api.machine.ProviderDefinition;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.core.rules.topology.ControlPlaneContract;
import io.nodeward.core.rules.topology.ControlPlaneContract.Found;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.DynamicInformers;
import io.nodeward.core.runtime.cluster.DynamicInformers.Listener;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.ObjectKind;
import jakarta.inject.Inject;
import java.util.Optional;

/** Control planes of whatever kinds Clusters name, and where each kind takes taints. */
final class ControlPlanes {
    // Written in another version it may have its taints elsewhere.
    private static final Projection<TaintHolder> CONTROL_PLANE =
            Projection.taintHolder(TaintPlace.CONTROL_PLANE, TaintPlace.CONTROL_PLANE_V1BETA1);
    private static final Projection<TaintHolder> CONTROL_PLANE_V1BETA1 =
            Projection.taintHolder(TaintPlace.CONTROL_PLANE_V1BETA1, TaintPlace.CONTROL_PLANE);

    private final DynamicInformers<TaintHolder> informers;
    private final boolean reads;

    /** What is known of a kind of control planes. */
    sealed interface Provider {
        /** Its definition is not there, or has not been read yet. */
        record Unknown() implements Provider {}

        /** The controller has no right to watch definitions, and knows none of this kind. */
        record DefinitionsForbidden() implements Provider {}

        /** It has no field for taints that its contract names. */
        record WithoutTaints() implements Provider {}

        /** The controller has no right to watch it. */
        record Forbidden() implements Provider {}

        record Served(ObjectKind kind, TaintPlace place, ObjectCache<TaintHolder> objects) implements Provider {}
    }

    @Inject
    ControlPlanes(ManagementCluster management, TopologyPolicy policy) {
        this.informers = new DynamicInformers<>(management);
        this.reads = policy.reads(TopologyKind.CONTROL_PLANE);
    }

    void start(Listener<TaintHolder> listener) {
        if (reads) {
            informers.start(listener);
        }
    }

    /** @param namespace of the Cluster that names it */
    Provider provider(ControlPlaneRef ref, String namespace) {
        Optional<ProviderDefinition> definition = informers.definition(ref.group(), ref.kind());
        if (definition.isEmpty()) {
            release(ref);
            return informers.mayReadDefinitions() ? new Provider.Unknown() : new Provider.DefinitionsForbidden();
        }
        Optional<Found> found =
                ControlPlaneContract.find(definition.get().metadata().labels(), definition.get()::declares);
        if (found.isEmpty()) {
            release(ref);
            return new Provider.WithoutTaints();
        }
        return served(definition.get(), found.get(), namespace);
    }

    private Provider served(ProviderDefinition definition, Found found, String namespace) {
        ObjectKind kind =
                new ObjectKind(definition.group(), found.version(), definition.kind(), definition.plural(), true);
        Projection<TaintHolder> projection =
                found.place() == TaintPlace.CONTROL_PLANE ? CONTROL_PLANE : CONTROL_PLANE_V1BETA1;
        return informers.objects(kind, projection, namespace)
                .<Provider>map(objects -> new Provider.Served(kind, found.place(), objects))
                .orElseGet(Provider.Forbidden::new);
    }

    /** Ends the watch of a kind that has no taints or that nobody names any more, until one does. Does not block. */
    void release(ControlPlaneRef ref) {
        informers.release(ref.group(), ref.kind());
    }

    void close() {
        informers.close();
    }
}
