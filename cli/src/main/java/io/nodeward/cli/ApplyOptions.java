package io.nodeward.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.plan.Applying;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.PatchOptions.FieldValidation;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** How the edited objects get into the fleet, by the options of {@code kubectl apply}. */
final class ApplyOptions {
    @Option(names = "--server-side", description = "Plan what kubectl apply --server-side leaves of the edited objects."
            + " Without it, the plan stores them as they are in the file")
    boolean serverSide;

    @Option(names = "--field-manager", paramLabel = "NAME", description = "With --server-side: who applies them"
            + " (default: kubectl)")
    Optional<String> fieldManager = Optional.empty();

    @Option(names = "--force-conflicts", description = "With --server-side: take over what others manage")
    boolean forceConflicts;

    /** Asks no server. */
    Applying offline() {
        return applying(edited -> Optional.empty());
    }

    /** Asks the servers, which store nothing. Where they do not allow that, managedFields tell. */
    Applying live(ClusterPair clusters) {
        return applying(edited -> dryRun(clusters, edited));
    }

    private Applying applying(Function<Manifest, Optional<ObjectNode>> server) {
        if (serverSide) {
            return Applying.serverSide(manager(), forceConflicts, server);
        }
        if (forceConflicts || fieldManager.isPresent()) {
            throw new IllegalArgumentException(
                    (forceConflicts ? "--force-conflicts" : "--field-manager") + " only works with --server-side");
        }
        return Applying.WHOLE;
    }

    private String manager() {
        return fieldManager.orElse("kubectl");
    }

    private Optional<ObjectNode> dryRun(ClusterPair clusters, Manifest edited) {
        boolean isNode = edited.id().kind().equals("Node");
        boolean isOwner = edited.id().group().equals(ClusterApi.GROUP);
        if (!isNode && !isOwner && !edited.id().kind().equals(DedicatedNodes.DEFINITION.kind())) {
            return Optional.empty();
        }
        Resource resource = isNode ? LiveCluster.NODES
                : isOwner ? new Resource(ClusterApi.GROUP, edited.version(),
                        edited.id().kind().toLowerCase(Locale.ROOT) + "s", true)
                : Resource.of(DedicatedNodes.DEFINITION);
        byte[] body = edited.json().toString().getBytes(StandardCharsets.UTF_8);
        try {
            return Optional.of((isOwner ? clusters.management() : clusters.workload()).patch(resource,
                    edited.id().key(), Patch.apply(body, manager(), forceConflicts),
                    PatchOptions.NONE.withDryRun().withFieldValidation(FieldValidation.STRICT)));
        } catch (LiveFailure failure) {
            if (failure.isForbidden()) {
                return Optional.empty();
            }
            throw failure;
        }
    }
}
