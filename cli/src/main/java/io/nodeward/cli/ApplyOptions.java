package io.nodeward.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.plan.ApplyMode;
import io.nodeward.cli.plan.ServerSideApply;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.PatchOptions;
import io.nodeward.core.spi.PatchOptions.FieldValidation;
import io.nodeward.core.spi.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** How the edited objects get into the fleet, by the options of {@code kubectl apply}. */
final class ApplyOptions {
    /** The words of RBAC; webhooks, policies and admission plugins answer 403 as well. */
    private static final Pattern LACKS_RIGHT = Pattern.compile(" cannot (patch|create) resource ");

    @Option(names = "--server-side", description = "Plan what kubectl apply --server-side leaves of the edited objects."
            + " Without it, the plan takes them as they are in the file")
    boolean serverSide;

    @Option(names = "--field-manager", paramLabel = "NAME", description = "With --server-side: who applies them"
            + " (default: kubectl)")
    Optional<String> fieldManager = Optional.empty();

    @Option(names = "--force-conflicts", description = "With --server-side: take over what others manage")
    boolean forceConflicts;

    /** Returns the mode that asks no server. */
    ApplyMode offline() {
        return mode((edited, warnings) -> Optional.empty());
    }

    /** Returns the mode that asks the servers, which store nothing. Without the right to patch, it follows managedFields. */
    ApplyMode live(ClusterPair clusters) {
        return mode((edited, warnings) -> dryRun(clusters, edited, warnings));
    }

    private ApplyMode mode(BiFunction<Manifest, Set<String>, Optional<ObjectNode>> server) {
        if (serverSide) {
            return ApplyMode.serverSide(manager(), forceConflicts, server);
        }
        if (forceConflicts || fieldManager.isPresent()) {
            throw new IllegalArgumentException(
                    (forceConflicts ? "--force-conflicts" : "--field-manager") + " only works with --server-side");
        }
        return ApplyMode.WHOLE;
    }

    private String manager() {
        return fieldManager.orElse("kubectl");
    }

    private Optional<ObjectNode> dryRun(ClusterPair clusters, Manifest edited, Set<String> warnings) {
        boolean isOwner = edited.id().group().equals(ClusterApi.GROUP);
        Resource resource = isOwner
                ? new Resource(ClusterApi.GROUP, edited.version(), edited.id().kind().toLowerCase(Locale.ROOT) + "s",
                        true)
                : edited.id().kind().equals("Node") ? LiveCluster.NODES : Resource.of(DedicatedNodes.DEFINITION);
        byte[] body = edited.json().toString().getBytes(StandardCharsets.UTF_8);
        try {
            return Optional.of((isOwner ? clusters.management() : clusters.workload()).patch(resource,
                    edited.id().key(), Patch.apply(body, manager(), forceConflicts),
                    PatchOptions.NONE.withDryRun().withFieldValidation(FieldValidation.STRICT)));
        } catch (LiveFailure failure) {
            Optional<ApiFailure> api = failure.api();
            if (failure.isForbidden() && LACKS_RIGHT.matcher(failure.words()).find()) {
                warnings.add(edited.id() + ": you may not patch it, so the server does not say what it would store. The"
                        + " plan follows metadata.managedFields, and knows of no webhook");
                return Optional.empty();
            }
            throw failure.isConflict() ? edited.error(ServerSideApply.refused(failure.words()))
                    : api.isPresent() ? edited.error(failure.words()) : failure;
        }
    }
}
