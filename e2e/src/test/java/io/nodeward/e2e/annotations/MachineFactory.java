package io.nodeward.e2e.annotations;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What an infrastructure provider and its kubelets do: each infrastructure machine that is asked for gets a providerID and
 * a Node, which registers uninitialized.
 */
final class MachineFactory implements AutoCloseable {
    private final MachineSuite suite;
    private final String collection;
    private final Set<String> made = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    MachineFactory(MachineSuite suite) {
        this.suite = suite;
        this.collection = "/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/" + suite.fleet().namespace()
                + "/genericinfrastructuremachines";
        clock.scheduleWithFixedDelay(this::make, 0, 200, TimeUnit.MILLISECONDS);
    }

    private void make() {
        for (JsonNode machine : suite.admin().get(collection).path("items")) {
            String name = machine.at("/metadata/name").asText();
            if (made.add(name)) {
                String path = collection + "/" + name;
                suite.admin().mergePatch(path,
                        "{\"spec\":{\"providerID\":\"%s\"}}".formatted(Fleet.providerId(name)));
                suite.admin().mergePatch(path + "/status",
                        "{\"status\":{\"ready\":true,\"initialization\":{\"provisioned\":true}}}");
                suite.fleet().node(NodeSpec.named(name).withLabels(Map.of()).uninitialized());
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
