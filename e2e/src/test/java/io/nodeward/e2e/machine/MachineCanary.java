package io.nodeward.e2e.machine;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.time.Duration;
import java.util.Map;

/** For Machines, and for Nodes of one Cluster: a Machine and its Node, whose label is changed on either. */
public final class MachineCanary implements Canary {
    /** Its value tells how often somebody has waited. */
    static final String LABEL = "canary.node.cluster.x-k8s.io/touch";

    private final MachineSuite suite;
    private final String name;
    private int touches;

    private MachineCanary(MachineSuite suite, String name) {
        this.suite = suite;
        this.name = name;
    }

    /** Made in this Cluster, which the controller must be able to reach and may write to. */
    public static MachineCanary in(MachineSuite suite, String cluster) {
        String name = suite.fleet().namespace() + "-" + cluster + "-canary";
        suite.fleet().pair(MachineSpec.named(name, cluster));
        return new MachineCanary(suite, name);
    }

    @Override
    public void awaitSeen() {
        String label = Json.tree(Map.of(LABEL, "t" + ++touches)).toString();
        suite.admin().mergePatch(suite.fleet().machinePath(name), "{\"metadata\":{\"labels\":" + label + "}}");
        awaitAnswer();
        suite.admin().mergePatch(Fleet.nodePath(name), "{\"metadata\":{\"labels\":{\"" + LABEL + "\":null}}}");
        awaitAnswer();
    }

    private void awaitAnswer() {
        await("change of " + name).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> suite
                .node(name).path("metadata").path("labels").path(LABEL).asText().equals("t" + touches));
    }

    @Override
    public boolean isAnswer(AuditRequest request) {
        return request.name().equals(name);
    }
}
