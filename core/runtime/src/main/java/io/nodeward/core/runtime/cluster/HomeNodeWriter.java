package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.HomeNodeUpdate;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.spi.ApiServer;

/** Sends changes of Nodes to the cluster that the process runs against, as {@link WorkloadCluster} does to its own. */
public final class HomeNodeWriter implements ObjectWriter.Of<HomeNodeUpdate> {
    private final ApiServer server;
    private final WriteMeters meters;

    public HomeNodeWriter(ApiServer server, MeterRegistry registry) {
        this.server = server;
        this.meters = WriteMeters.ofNodes(registry);
    }

    @Override
    public Applied apply(HomeNodeUpdate update, String fieldManager, boolean again) {
        // How much the Nodes of this cluster take is not limited: who runs it runs this process.
        return new NodePatches(server, update.nodes(), (before, after) -> {}, meters, update.plannedFrom())
                .send(update.before(), update.change(), fieldManager, again);
    }
}
