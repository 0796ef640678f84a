package io.nodeward.e2e.handover;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A Machine whose taints change step by step, each step so that its Node must be written once. */
final class OwnTaints {
    static final String DOMAIN = "own.example.com/";
    /** Declared in every step with value {@code right}. */
    static final String STEADY = DOMAIN + "steady";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final MachineSuite suite;
    private final String machine;
    private int step;

    OwnTaints(MachineSuite suite, String machine) {
        this.suite = suite;
        this.machine = machine;
    }

    int steps() {
        return step;
    }

    /** Edits the Machine and returns when its Node says so. */
    void next() {
        step++;
        suite.admin().mergePatch(suite.fleet().machinePath(machine),
                Json.tree(Map.of("spec", Map.of("taints", declared()))).toString());
        awaitOnNode();
    }

    /** Waits for exactly the declared taints, and those as tracked. */
    void awaitOnNode() {
        await("taints of step " + step).pollInterval(Duration.ofMillis(100)).atMost(PATIENCE)
                .until(() -> areOn(suite.node(machine)));
    }

    boolean areOn(JsonNode node) {
        return taintsOn(node).equals(wanted()) && trackedOn(node).equals(tracking());
    }

    /** As {@code key=value:effect}. */
    Set<String> wanted() {
        return declared().stream()
                .map(t -> t.get("key") + "=" + t.getOrDefault("value", "") + ":" + t.get("effect"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of the own domain, as {@link #wanted}. */
    static Set<String> taintsOn(JsonNode node) {
        return node.path("spec").path("taints").valueStream()
                .filter(t -> t.path("key").asText().startsWith(DOMAIN))
                .map(t -> t.path("key").asText() + "=" + t.path("value").asText() + ":" + t.path("effect").asText())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What the tracking annotation must say. */
    String tracking() {
        return declared().stream().map(t -> t.get("key") + ":" + t.get("effect")).sorted()
                .collect(Collectors.joining(","));
    }

    static String trackedOn(JsonNode node) {
        return node.path("metadata").path("annotations").path("cluster.x-k8s.io/taints-from-machine").asText();
    }

    // A value changes in each step, an effect in every second one, and a taint comes or goes.
    private List<Map<String, String>> declared() {
        List<Map<String, String>> taints = new ArrayList<>();
        taints.add(taint(STEADY, "right", "NoSchedule"));
        taints.add(taint(DOMAIN + "step", "v" + step, step % 4 < 2 ? "NoSchedule" : "NoExecute"));
        if (step % 2 == 0) {
            taints.add(taint(DOMAIN + "even", "v", "PreferNoSchedule"));
        }
        return taints;
    }

    private static Map<String, String> taint(String key, String value, String effect) {
        return Map.of("key", key, "value", value, "effect", effect, "propagation", "Always");
    }
}
