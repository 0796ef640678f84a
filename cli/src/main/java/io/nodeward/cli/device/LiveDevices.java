package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.explain.LiveObjects;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.snapshot.Gap;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Fetches from a cluster what is known of its devices, as if it stood in files. */
public final class LiveDevices {
    private static final String GROUP = Rule.KUBERNETES;
    private static final Resource SLICES = new Resource(GROUP, "v1", "resourceslices", false);
    private static final Resource CLASSES = new Resource(GROUP, "v1", DeviceSnapshot.CLASSES, false);
    private static final Resource CLAIMS = new Resource(GROUP, "v1", DeviceSnapshot.CLAIMS, true);
    /** Of Kubernetes' own rules, which few clusters serve. */
    private static final List<String> RULE_VERSIONS = List.of("v1", "v1beta2", "v1alpha3");
    private static final String RULES = DeviceTaintRule.DEFINITION.plural();
    private static final String NO_RULES = "which taints its rules bring is not known";

    private final LiveCluster cluster;
    private final LiveObjects objects = new LiveObjects(LiveDevices::trimmed);

    private LiveDevices(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * All but the pods.
     *
     * @throws LiveFailure if the server does not have devices, or does not show them
     */
    public static Snapshot of(LiveCluster cluster) {
        if (cluster.served(GROUP, SLICES.plural(), List.of(SLICES.version())).isEmpty()) {
            throw LiveFailure.unusable("error: the server doesn't have a resource type \"" + SLICES.plural() + "\" in "
                    + SLICES.apiVersion(),
                    "Kubernetes has it from 1.34 on. Is " + cluster.route()
                            + " the one that leads to the cluster of the devices (--context)?");
        }
        LiveDevices live = new LiveDevices(cluster);
        live.objects.list(cluster, SLICES, "");
        live.refine(CLASSES, "whether rules with a deviceClassName select devices is not known");
        live.refine(CLAIMS, "who uses the devices is not known");
        Resource ours = Resource.of(DeviceTaintRule.DEFINITION);
        cluster.served(ours.group(), RULES, List.of(ours.version())).ifPresentOrElse(
                kind -> live.refine(kind, NO_RULES),
                () -> live.objects.absent(RULES + "." + ours.group(), "Nodeward has no rules here"));
        Resource slices = Resource.of(DeviceTaintSlice.DEFINITION);
        cluster.served(slices.group(), slices.plural(), List.of(slices.version()))
                .ifPresent(kind -> live.refine(kind, "which taints it lists is not known"));
        cluster.served(GROUP, RULES, RULE_VERSIONS).ifPresent(kind -> live.refine(kind, NO_RULES));
        return live.objects.snapshot("");
    }

    private void refine(Resource kind, String lost) {
        objects.refine(cluster, kind, lost);
    }

    private static ObjectNode trimmed(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        if (metadata instanceof ObjectNode fields) {
            fields.retain("namespace", "name", "uid", "creationTimestamp", "ownerReferences");
        }
        return object;
    }

    /** Those of the cluster. */
    public static Pods pods(LiveCluster cluster) {
        LiveObjects objects = new LiveObjects(UnaryOperator.identity());
        return new Pods() {
            @Override
            public Optional<Pod> find(ObjectKey key) {
                List<Pod> found = new ArrayList<>();
                if (gap().isPresent()) {
                    return Optional.empty();
                }
                objects.attempt("pods", "get pods", "whether they run is not known",
                        () -> cluster.find(LiveCluster.PODS, key).map(object -> Snapshot.read(
                                new Manifest(object, cluster.route()), Projection.POD)).ifPresent(found::add));
                return found.stream().findFirst();
            }

            @Override
            public Optional<String> gap() {
                return objects.gaps().stream().map(Gap::text).findFirst();
            }
        };
    }

    /** Those of files. */
    public static Pods pods(Snapshot files) {
        return new Pods() {
            @Override
            public Optional<Pod> find(ObjectKey key) {
                return files.find(new Manifest.Id("", "Pod", key)).map(files::pod);
            }

            @Override
            public Optional<String> gap() {
                return files.all("", "Pod").isEmpty()
                        ? Optional.of("there is no Pod at all: whether those run that use the device is not known")
                        : Optional.empty();
            }
        };
    }
}
