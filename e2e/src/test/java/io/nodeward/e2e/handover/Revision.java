package io.nodeward.e2e.handover;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What Machine number {@code index} declares in its n-th version, so that from one to the next taints of both kinds
 * come, go, change value and change kind, and labels and annotations come and go. Machines differ by their index.
 */
record Revision(int index, int number) {
    static final String TEAM = "example.com/team";
    static final String STARTUP = "example.com/startup";

    private static final String LABEL = "node.cluster.x-k8s.io/revision";
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized";

    MachineSpec of(String name, String cluster, Map<String, String> more) {
        Map<String, String> labels = new HashMap<>(labels());
        labels.putAll(more);
        MachineSpec machine = MachineSpec.named(name, cluster).withLabels(labels).withAnnotations(annotations());
        for (Map<String, String> t : taints()) {
            machine = machine.withTaint(
                    t.get("key"), t.getOrDefault("value", ""), t.get("effect"), t.get("propagation"));
        }
        return machine;
    }

    /** A merge patch from any other revision to this. */
    String patch() {
        List<Map<String, String>> taints = taints();
        Map<String, Object> spec = new HashMap<>();
        spec.put("taints", taints.isEmpty() ? null : taints);
        Map<String, String> labels = new HashMap<>();
        Map<String, String> annotations = new HashMap<>();
        for (int other = 0; other < 2; other++) {
            new Revision(index, number + other).labels().keySet().forEach(key -> labels.put(key, null));
            new Revision(index, number + other).annotations().keySet().forEach(key -> annotations.put(key, null));
        }
        labels.putAll(labels());
        annotations.putAll(annotations());
        return Json.tree(Map.of(
                "metadata", Map.of("labels", labels, "annotations", annotations), "spec", spec)).toString();
    }

    /** Whether all of it has come to the Node, and its taints of earlier revisions are no longer tracked. */
    boolean isOn(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        JsonNode tracked = metadata.path("annotations").path("cluster.x-k8s.io/taints-from-machine");
        return metadata.path("labels").path(LABEL).asText().equals(Integer.toString(number))
                && !tracked.isMissingNode()
                && tracked.asText().equals(tracking())
                && isTeamOn(node)
                && node.path("spec").path("taints").valueStream().noneMatch(t -> isKey(t, UNINITIALIZED));
    }

    private boolean isTeamOn(JsonNode node) {
        return !declaresTaints() || node.path("spec").path("taints").valueStream()
                .anyMatch(t -> isKey(t, TEAM) && t.path("value").asText().equals("r" + number));
    }

    private static boolean isKey(JsonNode taint, String key) {
        return taint.path("key").asText().equals(key);
    }

    private String tracking() {
        return taints().stream().filter(t -> t.get("propagation").equals("Always"))
                .map(t -> t.get("key") + ":" + t.get("effect")).sorted().collect(Collectors.joining(","));
    }

    /** One in ten has none at first: the empty tracking annotation has to be handed over too. */
    private boolean declaresTaints() {
        return index % 10 != 9 || number > 1;
    }

    private boolean isOdd() {
        return number % 2 == 1;
    }

    private List<Map<String, String>> taints() {
        List<Map<String, String>> taints = new ArrayList<>();
        if (!declaresTaints()) {
            return taints;
        }
        taints.add(taint(TEAM, "r" + number, "NoSchedule", "Always"));
        if (index % 2 == 1) {
            // Sorts before "example.com/a:", after "example.com/a" alone.
            taints.add(taint("example.com/a-b", "", "NoExecute", isOdd() ? "Always" : "OnInitialization"));
        }
        if (isOdd()) {
            taints.add(taint("example.com/a", "x", "PreferNoSchedule", "Always"));
        }
        if (index % 3 == 0) {
            taints.add(taint(STARTUP, "", "NoSchedule", "OnInitialization"));
        }
        return taints;
    }

    private static Map<String, String> taint(String key, String value, String effect, String propagation) {
        return value.isEmpty()
                ? Map.of("key", key, "effect", effect, "propagation", propagation)
                : Map.of("key", key, "value", value, "effect", effect, "propagation", propagation);
    }

    private Map<String, String> labels() {
        Map<String, String> labels = new HashMap<>(Map.of(
                LABEL, Integer.toString(number),
                "zone.node-restriction.kubernetes.io/rack", "k" + index % 4,
                "example.com/unmanaged", "r" + number));
        if (isOdd()) {
            labels.put("node-role.kubernetes.io/worker", "");
        }
        return labels;
    }

    // Every fourth Machine never has one that is carried.
    private Map<String, String> annotations() {
        Map<String, String> annotations = new HashMap<>(Map.of("example.com/unmanaged", "r" + number));
        if (index % 4 != 0) {
            annotations.put("node.cluster.x-k8s.io/contact", "someone-" + number);
        }
        if (index % 4 == 1 && isOdd()) {
            annotations.put("sub.node.cluster.x-k8s.io/passing", "x");
        }
        return annotations;
    }
}
