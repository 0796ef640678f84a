package io.nodeward.e2e.autoscaler;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Whether the cluster-autoscaler would scale a group from zero for a pending Pod: whether the Pod fits on the Node that is
 * imagined for the group. The autoscaler asks the scheduler's own code. So does this: the {@link Imagined} Node is created,
 * and the real kube-scheduler is given a copy of the Pod that may run there and nowhere else.
 */
final class Decisions implements AutoCloseable {
    private static final List<Object> ALL = List.of(Map.of("operator", "Exists"));

    private final MachineSuite suite;
    private final String pods;
    private final LoggedProcess scheduler;
    private int asked;

    Decisions(MachineSuite suite) {
        this.suite = suite;
        this.pods = suite.core() + "/pods";
        // No controller is here to make it, and without it no Pod is admitted.
        suite.admin().createIfAbsent(suite.core() + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
        this.scheduler = suite.controlPlane().scheduler();
    }

    /** A Pod of these tolerations and this selector, which stays pending whatever Nodes others have or are imagined. */
    JsonNode pending(String name, List<Object> tolerations, Map<String, String> selector) {
        ObjectNode pod = (ObjectNode) pod(name, tolerations, selector);
        pod.withObject("/spec").set("affinity", Json.parse("""
                {"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[
                 {"matchExpressions":[{"key":"example.com/not-there-yet","operator":"Exists"}]}]}}}"""));
        suite.admin().create(pods, pod);
        if (scheduled(name)) {
            throw new AssertionError(name + " is not pending");
        }
        return suite.admin().get(pods + "/" + name);
    }

    private static JsonNode pod(String name, List<Object> tolerations, Map<String, String> selector) {
        return Json.tree(Map.of("metadata", Map.of("name", name), "spec", Map.of(
                "containers", List.of(Map.of("name", "c", "image", "images.example.com/c",
                        "resources", Map.of("requests", Map.of("cpu", "100m", "memory", "64Mi")))),
                "tolerations", tolerations,
                "nodeSelector", selector)));
    }

    /** Whether the Pod fits; a group that cannot be scaled from zero is no answer, but a failure. */
    boolean fits(JsonNode pending, JsonNode group, Imagined.Release release) {
        Imagined imagined = Imagined.of(group, release).orElseThrow();
        String node = suite.fleet().namespace() + "-imagined-" + ++asked;
        try {
            create(node, imagined);
            // Who has bound a Pod to it has seen the Node: what is said of the next Pod is no matter of time.
            suite.admin().create(pods, pod("probe-" + asked, ALL, hostname(node)));
            if (!scheduled("probe-" + asked)) {
                throw new AssertionError("not even a Pod that tolerates all fits on " + node);
            }
            String copy = "copy-" + asked;
            Map<String, String> selector = hostname(node);
            pending.at("/spec/nodeSelector").properties().forEach(e -> selector.put(e.getKey(), e.getValue().asText()));
            ObjectNode pod = (ObjectNode) pod(copy, List.of(), selector);
            pod.withObject("/spec").set("tolerations", pending.at("/spec/tolerations"));
            suite.admin().create(pods, pod);
            return scheduled(copy);
        } finally {
            suite.admin().delete(Fleet.nodePath(node));
        }
    }

    private static Map<String, String> hostname(String node) {
        return new LinkedHashMap<>(Map.of("kubernetes.io/hostname", node));
    }

    private void create(String name, Imagined imagined) {
        NodeSpec node = NodeSpec.named(name).withProviderId("").withLabels(imagined.labels());
        for (Map<String, String> taint : imagined.taints()) {
            node = node.withTaint(taint.get("key"), taint.get("value"), taint.get("effect"));
        }
        suite.fleet().node(node);
        suite.admin().mergePatch(Fleet.nodePath(name) + "/status", Json.tree(Map.of("status",
                Map.of("capacity", imagined.capacity(), "allocatable", imagined.capacity()))).toString());
    }

    /** What the scheduler says of a Pod, once it has said something. */
    private boolean scheduled(String pod) {
        try {
            return await(pod).atMost(MachineSuite.PATIENCE)
                    .until(() -> verdict(suite.admin().get(pods + "/" + pod)), Optional::isPresent).orElseThrow();
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("no word on " + pod + "; the end of the scheduler's log:\n" + scheduler.tail(), e);
        }
    }

    private static Optional<Boolean> verdict(JsonNode pod) {
        if (pod.path("spec").has("nodeName")) {
            return Optional.of(true);
        }
        return pod.at("/status/conditions").valueStream()
                .filter(c -> c.path("type").asText().equals("PodScheduled"))
                .filter(c -> c.path("reason").asText().equals("Unschedulable"))
                .map(c -> false).findFirst();
    }

    /** Ends the scheduler and takes the Pods away, which no kubelet does here. */
    @Override
    public void close() {
        scheduler.close();
        for (JsonNode pod : suite.admin().get(pods).path("items")) {
            suite.admin().send("DELETE", pods + "/" + pod.at("/metadata/name").asText() + "?gracePeriodSeconds=0",
                    AdminClient.JSON, "");
        }
    }
}
