package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps of each object what a plan reads. Whole, 100,000 pods and 10,000 Nodes are some gigabytes of trees; most of that
 * are containers, volumes, statuses and managedFields, and what pods of one owner have in common is kept once.
 */
public final class Trim implements UnaryOperator<ObjectNode> {
    private static final List<String> TOP = List.of("apiVersion", "kind", "metadata");
    private static final List<String> WITH_SPEC = List.of("apiVersion", "kind", "metadata", "spec");
    private static final List<String> NAMES = List.of("namespace", "name");
    private static final List<String> OF_POD = List.of("namespace", "name", "labels", "annotations", "ownerReferences");
    private static final List<String> OF_POD_SPEC = List.of("nodeName", "tolerations", "serviceAccountName",
            "resourceClaims", "containers", "initContainers");
    private static final List<String> OF_TEMPLATE_SPEC =
            Stream.concat(OF_POD_SPEC.stream(), Stream.of("nodeSelector", "affinity")).toList();
    private static final List<String> STATUS = List.of("phase", "nodeRef", "nodeRefs", "disruptionsAllowed");

    private final Map<JsonNode, JsonNode> shared = new HashMap<>();
    private final Set<Manifest.Id> edited;

    private Trim(Set<Manifest.Id> edited) {
        this.edited = edited;
    }

    /** @param edited objects that are to be, of which a plan also reads the managedFields as they are */
    public static Trim keeping(List<Manifest> edited) {
        return new Trim(edited.stream().map(Manifest::id).collect(Collectors.toSet()));
    }

    @Override
    public ObjectNode apply(ObjectNode object) {
        if (new Manifest(object, "").isDefinition()) {
            return object;
        }
        String version = object.path("apiVersion").asText();
        String group = version.substring(0, Math.max(0, version.indexOf('/')));
        switch (group + '/' + object.path("kind").asText()) {
            case "/Pod" -> pod(object);
            case Snapshot.APPS + '/' + Snapshot.DAEMON_SET -> daemonSet(object);
            case "/Node", "policy/PodDisruptionBudget" -> whole(object);
            case "/Namespace" -> in(object, "metadata", List.of("name", "labels"));
            default -> {
                if (group.equals(DedicatedNodes.DEFINITION.group()) || group.equals(Snapshot.DEVICES)) {
                    if (!isEdited(object)) {
                        in(object, "metadata", List.of("namespace", "name", "annotations"));
                        in(object.path("metadata"), "annotations", List.of(DedicatedAnnotations.REFUSE_DAEMON_SETS));
                    }
                } else if (group.equals(ClusterApi.GROUP)) {
                    whole(object);
                } else {
                    object.retain(group.startsWith("controlplane.") ? WITH_SPEC : TOP);
                    in(object, "metadata", NAMES);
                    in(object, "spec", List.of("machineTemplate"));
                }
            }
        }
        return object;
    }

    private void pod(ObjectNode pod) {
        in(pod, "metadata", OF_POD);
        resources(pod.path("spec"));
        in(pod, "spec", OF_POD_SPEC);
        in(pod, "status", List.of("phase", "resourceClaimStatuses"));
        in(pod.path("metadata"), "annotations", List.of("kubernetes.io/config.mirror"));
        share(pod, "apiVersion", "kind", "status");
        share(pod.path("metadata"), "namespace", "labels", "annotations", "ownerReferences");
        share(pod.path("spec"), OF_POD_SPEC.toArray(String[]::new));
    }

    /** Keeps of the template what decides on which Nodes its pods run, and whether they are members. */
    private static void daemonSet(ObjectNode daemonSet) {
        daemonSet.retain(WITH_SPEC);
        in(daemonSet, "metadata", List.of("namespace", "name", "uid"));
        in(daemonSet, "spec", List.of("template"));
        JsonNode template = daemonSet.at("/spec/template");
        in(template, "metadata", List.of("labels"));
        resources(template.path("spec"));
        in(template, "spec", OF_TEMPLATE_SPEC);
    }

    /** Keeps what containers request: that may make the pod a member of a group of dedicated Nodes. */
    private static void resources(JsonNode spec) {
        List.of("containers", "initContainers").forEach(containers -> resources(spec, containers));
    }

    private static void resources(JsonNode spec, String containers) {
        if (spec instanceof ObjectNode parent && parent.get(containers) instanceof ArrayNode all) {
            for (Iterator<JsonNode> each = all.iterator(); each.hasNext();) {
                if (each.next() instanceof ObjectNode one && !one.path("resources").isEmpty()) {
                    one.retain("resources");
                } else {
                    each.remove();
                }
            }
            if (all.isEmpty()) {
                parent.remove(containers);
            }
        }
    }

    private boolean isEdited(ObjectNode object) {
        return !edited.isEmpty() && edited.contains(new Manifest(object, "").id());
    }

    private void whole(ObjectNode object) {
        if (object.path("metadata") instanceof ObjectNode metadata && !isEdited(object)) {
            metadata.remove("managedFields");
        }
        in(object, "status", STATUS);
    }

    private static void in(JsonNode object, String field, List<String> kept) {
        if (object.path(field) instanceof ObjectNode part) {
            part.retain(kept);
        }
    }

    /** Nobody changes a tree in place that was read. */
    private void share(JsonNode object, String... fields) {
        if (object instanceof ObjectNode parent) {
            for (String field : fields) {
                JsonNode value = parent.get(field);
                if (value != null) {
                    parent.set(field, shared.computeIfAbsent(value, same -> same));
                }
            }
        }
    }
}
