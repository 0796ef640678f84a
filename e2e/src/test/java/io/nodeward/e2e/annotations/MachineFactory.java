package io.nodeward.e2e.annotations;

import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an infrastructure provider and its kubelets do: each infrastructure machine that is asked for gets a providerID and
 * a Node, which registers uninitialized.
 */
final class MachineFactory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MachineFactory.class);

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

    // A failure must not end the schedule: it is tried again in the next round.
    private void make() {
        try {
            suite.admin().get(collection).path("items").forEach(machine -> make(machine.at("/metadata/name").asText()));
        } catch (RuntimeException e) {
            LOG.warn("a machine was not made: {}", e.getMessage());
        }
    }

    private void make(String name) {
        if (made.contains(name)) {
            return;
        }
        if (suite.admin().find(Fleet.nodePath(name)).isEmpty()) {
            suite.fleet().node(NodeSpec.named(name).uninitialized());
        }
        String path = collection + "/" + name;
        suite.admin().mergePatch(path, "{\"spec\":{\"providerID\":\"%s\"}}".formatted(Fleet.providerId(name)));
        suite.admin().mergePatch(path + "/status",
                "{\"status\":{\"ready\":true,\"initialization\":{\"provisioned\":true}}}");
        made.add(name);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
