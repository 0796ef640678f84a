package io.nodeward.e2e.annotations;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What providers and kubelets do: whatever the managers ask them for is there at once. Nodes are called as their
 * infrastructure machines; workers register uninitialized, those of a control plane with kubeadm's taint.
 */
final class Provider implements AutoCloseable {
    /** Nodes of a pool, whatever its name. */
    static final int POOL_SIZE = 2;
    /** What kubeadm has a control plane's kubelet register with. */
    static final String CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

    private static final Logger LOG = LoggerFactory.getLogger(Provider.class);
    private static final String INFRASTRUCTURE = "/apis/infrastructure.cluster.x-k8s.io/v1beta1";

    private final MachineSuite suite;
    private final List<Duty> duties;
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** What is done for each object of a collection, once; it gets the object's path too. */
    private record Duty(String collection, BiConsumer<String, JsonNode> work) {}

    Provider(MachineSuite suite) {
        this.suite = suite;
        String in = "/namespaces/" + suite.fleet().namespace() + "/";
        this.duties = List.of(
                new Duty(INFRASTRUCTURE + in + "genericinfrastructureclusters", (path, cluster) -> provisioned(path)),
                new Duty(INFRASTRUCTURE + in + "genericinfrastructuremachines", this::machine),
                new Duty(INFRASTRUCTURE + in + "genericinfrastructuremachinepools", this::pool),
                new Duty("/apis/bootstrap.cluster.x-k8s.io/v1beta2" + in + "kubeadmconfigs", this::bootstrap));
        clock.scheduleWithFixedDelay(this::look, 0, 200, TimeUnit.MILLISECONDS);
    }

    private void look() {
        for (Duty duty : duties) {
            try {
                // Not all suites have all of these kinds.
                suite.admin().find(duty.collection()).ifPresent(list -> list.path("items").forEach(object -> {
                    String path = duty.collection() + "/" + object.at("/metadata/name").asText();
                    if (!done.contains(path)) {
                        duty.work().accept(path, object);
                        done.add(path);
                    }
                }));
            } catch (RuntimeException e) {
                // It must not end the schedule: it is tried again in the next round.
                LOG.warn("not done yet: {}", e.getMessage());
            }
        }
    }

    private void machine(String path, JsonNode machine) {
        String name = machine.at("/metadata/name").asText();
        boolean controlPlane = machine.at("/metadata/labels").has("cluster.x-k8s.io/control-plane");
        node(controlPlane
                ? NodeSpec.named(name).withLabels(Map.of(CONTROL_PLANE, "")).withTaint(CONTROL_PLANE, "", "NoSchedule")
                : NodeSpec.named(name).uninitialized());
        patch(path, Map.of("spec", Map.of("providerID", Fleet.providerId(name))));
        provisioned(path);
    }

    private void pool(String path, JsonNode pool) {
        List<String> names = poolNodes(pool.at("/metadata/name").asText());
        names.forEach(name -> node(NodeSpec.named(name).uninitialized()));
        patch(path, Map.of("spec", Map.of("providerIDList", names.stream().map(Fleet::providerId).toList())));
        patch(path + "/status", Map.of("status", Map.of("replicas", POOL_SIZE)));
        provisioned(path);
    }

    /** Those of the infrastructure machine pool of this name. */
    static List<String> poolNodes(String name) {
        return List.of(name + "-0", name + "-1");
    }

    private void bootstrap(String path, JsonNode config) {
        patch(path + "/status", Map.of("status", Map.of(
                "dataSecretName", "bootstrap", "initialization", Map.of("dataSecretCreated", true))));
    }

    private void provisioned(String path) {
        patch(path + "/status", Map.of("status", Map.of("ready", true, "initialization", Map.of("provisioned", true))));
    }

    private void node(NodeSpec node) {
        if (suite.admin().find(Fleet.nodePath(node.name())).isEmpty()) {
            suite.fleet().node(node);
        }
    }

    private void patch(String path, Object patch) {
        suite.admin().mergePatch(path, Json.tree(patch).toString());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
