package io.nodeward.e2e.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.Projection;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Whether a pod may go to a Node: our rule and the real kube-scheduler, on generated pods each of which may run on one
 * generated Node and nowhere else, so that the scheduler has to say yes or no to that very pair.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SchedulerVerdictsTest {
    private static final long SEED = 20_261_122;
    private static final int NODES = 40;
    private static final int PODS = 500;
    private static final String PREFIX = "verdicts-";
    private static final List<String> KEYS = List.of("a", "b", "example.com/gpu");
    private static final List<String> VALUES = List.of("", "1", "2");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final Map<String, String> ROOM = Map.of("cpu", "100", "memory", "100Gi", "pods", "1000");

    private final Random random = new Random(SEED);
    private final MachineSuite suite = MachineSuite.in("verdicts");
    private final AdminClient admin = suite.admin();
    private final String pods = suite.core() + "/pods";
    private final Map<String, String> nodeOf = new LinkedHashMap<>();

    @BeforeAll
    void create() {
        admin.createIfAbsent(suite.core() + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
        for (int i = 0; i < NODES; i++) {
            suite.fleet().node(node(PREFIX + i));
            admin.mergePatch(Fleet.nodePath(PREFIX + i) + "/status",
                    Json.tree(Map.of("status", Map.of("capacity", ROOM, "allocatable", ROOM))).toString());
        }
        for (int i = 0; i < PODS; i++) {
            String node = PREFIX + random.nextInt(NODES);
            admin.create(pods, pod("pod-" + i, node));
            nodeOf.put("pod-" + i, node);
        }
    }

    private NodeSpec node(String name) {
        NodeSpec node = NodeSpec.named(name);
        Map<String, String> taken = new HashMap<>(); // no server takes a key and effect twice
        for (int i = random.nextInt(4); i > 0; i--) {
            String key = one(KEYS);
            String effect = one(EFFECTS);
            if (taken.put(key + effect, "") == null) {
                node = node.withTaint(key, one(VALUES), effect);
            }
        }
        return node;
    }

    private JsonNode pod(String name, String node) {
        List<Map<String, Object>> tolerations = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            tolerations.add(toleration());
        }
        return Json.tree(Map.of("metadata", Map.of("name", name), "spec", Map.of(
                "containers", List.of(Map.of("name", "c", "image", "images.example.com/c")),
                "tolerations", tolerations,
                "nodeSelector", Map.of("kubernetes.io/hostname", node))));
    }

    /** One that a server takes; those it refuses reach no scheduler. */
    private Map<String, Object> toleration() {
        Map<String, Object> toleration = new LinkedHashMap<>();
        String effect = random.nextBoolean() ? "" : one(EFFECTS);
        boolean exists = random.nextInt(3) == 0;
        if (exists) {
            toleration.put("operator", "Exists");
        } else if (random.nextBoolean()) {
            toleration.put("operator", "Equal");
        }
        if (!exists || random.nextInt(4) > 0) {
            toleration.put("key", one(KEYS));
        }
        if (!exists) {
            toleration.put("value", one(VALUES));
        }
        if (!effect.isEmpty()) {
            toleration.put("effect", effect);
        }
        if (effect.equals("NoExecute") && random.nextBoolean()) {
            toleration.put("tolerationSeconds", random.nextInt(100));
        }
        return toleration;
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    @AfterAll
    void remove() {
        for (String pod : nodeOf.keySet()) {
            admin.send("DELETE", pods + "/" + pod + "?gracePeriodSeconds=0", AdminClient.JSON, "");
        }
        for (int i = 0; i < NODES; i++) {
            admin.delete(Fleet.nodePath(PREFIX + i));
        }
        suite.close();
    }

    @Test
    void the_scheduler_places_a_pod_where_the_rule_says_that_taints_let_it() throws IOException {
        Map<String, Boolean> ruled = new LinkedHashMap<>();
        for (Map.Entry<String, String> pair : nodeOf.entrySet()) {
            ruled.put(pair.getKey(), isFit(pair.getKey(), pair.getValue()));
        }
        assertThat(ruled.values()).as("cases of both kinds").contains(true, false);

        Map<String, Boolean> placed = new LinkedHashMap<>();
        try (LoggedProcess scheduler = suite.controlPlane().scheduler()) {
            await().atMost(MachineSuite.PATIENCE).until(() -> {
                collect(placed);
                return placed.size() == PODS;
            });
        }
        assertThat(placed.entrySet().stream().filter(pod -> pod.getValue() != ruled.get(pod.getKey())).map(this::told))
                .as("pods of seed %d whom the scheduler treats otherwise", SEED).isEmpty();
        assertThat(ruled.values().stream().filter(fit -> fit).count()).as("of %d", PODS).isBetween(PODS / 5L,
                PODS * 4L / 5);
    }

    private boolean isFit(String podName, String nodeName) throws IOException {
        Node node = Projection.NODE.read(bytes(admin.get(Fleet.nodePath(nodeName))));
        Pod pod = Projection.POD.read(bytes(admin.get(pods + "/" + podName)));
        return NodeFit.of(node.taints(), pod.tolerations(), Tolerance.DEFAULT).schedulable();
    }

    private String told(Map.Entry<String, Boolean> pod) {
        return "scheduled=" + pod.getValue()
                + " with " + admin.get(pods + "/" + pod.getKey()).at("/spec/tolerations")
                + " to " + admin.get(Fleet.nodePath(nodeOf.getOrDefault(pod.getKey(), ""))).at("/spec/taints");
    }

    private static byte[] bytes(JsonNode json) {
        return json.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** What the scheduler has said so far. */
    private void collect(Map<String, Boolean> placed) {
        for (JsonNode pod : admin.get(pods).path("items")) {
            verdict(pod).ifPresent(fit -> placed.put(pod.at("/metadata/name").asText(), fit));
        }
    }

    private static Optional<Boolean> verdict(JsonNode pod) {
        if (pod.path("spec").has("nodeName")) {
            return Optional.of(true);
        }
        return pod.at("/status/conditions").valueStream()
                .filter(condition -> condition.path("reason").asText().equals("Unschedulable"))
                .map(condition -> {
                    assertThat(condition.path("message").asText()).contains("node(s) had untolerated taint(s)");
                    return false;
                }).findFirst();
    }
}
