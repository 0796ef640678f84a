package io.nodeward.cli.device;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.json.Projection;
import io.nodeward.api.pod.Pod;
import io.nodeward.cli.explain.LiveObjects;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.snapshot.Gap;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Fetches from a cluster what is known of its devices, as if it stood in files. */
public final class LiveDevices {
    private static final String GROUP = Rule.KUBERNETES;
    private static final Resource SLICES = new Resource(GROUP, "v1", "resourceslices", false);
    private static final Resource CLASSES = new Resource(GROUP, "v1", ClusterDevices.CLASSES, false);
    private static final Resource CLAIMS = new Resource(GROUP, "v1", ClusterDevices.CLAIMS, true);
    private static final Resource BUDGETS = new Resource("policy", "v1", "poddisruptionbudgets", true);
    /** The versions of Kubernetes' own rules, which few clusters serve. */
    private static final List<String> RULE_VERSIONS = List.of("v1", "v1beta2", "v1alpha3");
    private static final String RULES = DeviceTaintRule.DEFINITION.plural();
    private static final String NO_RULES = "which taints its rules bring is not known";

    private LiveDevices() {}

    /**
     * Fetches all but the pods, which are asked for one by one.
     *
     * @param budgets whether PodDisruptionBudgets matter
     * @throws LiveFailure if the server does not have devices, or does not show them
     */
    public static ClusterDevices of(LiveCluster cluster, SelectorFeatures features, boolean budgets) {
        if (cluster.served(GROUP, SLICES.plural(), List.of(SLICES.version())).isEmpty()) {
            throw LiveFailure.unusable("error: the server doesn't have a resource type \"" + SLICES.plural() + "\" in "
                    + SLICES.apiVersion(),
                    "Kubernetes has it from 1.34 on. Is " + cluster.route()
                            + " the one that leads to the cluster of the devices (--context)?");
        }
        LiveObjects objects = new LiveObjects(LiveDevices::trimmed);
        objects.list(cluster, SLICES, "");
        objects.refine(cluster, CLASSES, "whether rules with a deviceClassName select devices is not known");
        objects.refine(cluster, CLAIMS, "who uses the devices is not known");
        Resource ours = Resource.of(DeviceTaintRule.DEFINITION);
        cluster.served(ours.group(), RULES, List.of(ours.version())).ifPresentOrElse(
                kind -> objects.refine(cluster, kind, NO_RULES),
                () -> objects.absent(RULES + "." + ours.group(), "Nodeward has no rules here"));
        Resource slices = Resource.of(DeviceTaintSlice.DEFINITION);
        cluster.served(slices.group(), slices.plural(), List.of(slices.version()))
                .ifPresent(kind -> objects.refine(cluster, kind, "which taints it lists is not known"));
        cluster.served(GROUP, RULES, RULE_VERSIONS).ifPresent(kind -> objects.refine(cluster, kind, NO_RULES));
        if (budgets) {
            objects.refine(cluster, BUDGETS, "which of them hold up evictions is not known");
        }
        return new ClusterDevices(objects.snapshot(""), features, pods(cluster, budgets));
    }

    /**
     * Reads the devices of files.
     *
     * @param budgets whether PodDisruptionBudgets matter
     */
    public static ClusterDevices of(Snapshot files, SelectorFeatures features, boolean budgets) {
        return new ClusterDevices(files, features, pods(files, budgets));
    }

    private static ObjectNode trimmed(ObjectNode object) {
        JsonNode metadata = object.path("metadata");
        if (metadata instanceof ObjectNode fields) {
            fields.retain("namespace", "name", "uid", "creationTimestamp", "ownerReferences",
                    "managedFields");
            if (!object.path("kind").asText().startsWith("DeviceTaint")) { // only of taints the command says who declared them
                fields.remove("managedFields");
            }
        }
        return object;
    }

    private static Pods pods(LiveCluster cluster, boolean budgets) {
        Function<ObjectNode, Pod> read = object -> pod(new Manifest(object, cluster.route()), budgets);
        LiveObjects objects = new LiveObjects(UnaryOperator.identity());
        Map<String, List<Pod>> namespaces = new HashMap<>();
        return new Pods(
                key -> attempt(objects, "get pods", () -> cluster.find(LiveCluster.PODS, key).stream().toList(),
                        read).stream().findFirst(),
                namespace -> namespaces.computeIfAbsent(namespace, any -> attempt(objects,
                        "list pods in namespace " + namespace,
                        () -> cluster.list(LiveCluster.PODS, namespace, "", "", LiveDevices::placed), read)),
                () -> objects.gaps().stream().map(Gap::text).findFirst());
    }

    /**
     * Keeps of a pod its labels and what {@link Projection#PLACED_POD} reads: of many, containers and managedFields would
     * take the most.
     */
    private static ObjectNode placed(ObjectNode pod) {
        JsonNode labels = pod.at("/metadata/labels");
        trimmed(pod);
        if (labels.isObject()) {
            pod.withObject("metadata").set("labels", labels);
        }
        if (pod.path("spec") instanceof ObjectNode spec) {
            spec.retain("nodeName", "schedulingGroup", "resourceClaims");
        }
        return pod;
    }

    /** @param labelled whether it has the labels by which PodDisruptionBudgets select it */
    private static Pod pod(Manifest manifest, boolean labelled) {
        Pod placed = Snapshot.read(manifest, Projection.PLACED_POD);
        return !labelled ? placed
                : new Pod(Snapshot.read(manifest, Projection.POD).metadata(), placed.nodeName(), placed.tolerations(),
                        placed.qosClass(), placed.phase(), placed.member(), placed.truncatedFields());
    }

    private static List<Pod> attempt(
            LiveObjects objects, String doing, Supplier<List<ObjectNode>> reading,
            Function<ObjectNode, Pod> read) {
        List<Pod> found = new ArrayList<>();
        if (objects.gaps().isEmpty()) {
            objects.attempt("pods", doing, "whether they run is not known", () -> reading.get().stream().map(read)
                    .forEach(found::add));
        }
        return found;
    }

    private static Pods pods(Snapshot files, boolean budgets) {
        return new Pods(key -> files.find(new Manifest.Id("", "Pod", key))
                .map(pod -> pod(pod, budgets)),
                namespace -> files.all("", "Pod").stream().filter(pod -> pod.id().key().namespace().equals(namespace))
                        .map(pod -> pod(pod, budgets)).toList(),
                () -> files.all("", "Pod").isEmpty()
                        ? Optional.of("there is no Pod at all: whether those run that use the device is not known")
                        : Optional.empty());
    }
}
