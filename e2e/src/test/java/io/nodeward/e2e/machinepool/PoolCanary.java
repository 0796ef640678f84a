package io.nodeward.e2e.machinepool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.machine.Canary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.time.Duration;

/** For MachinePools and for Nodes of their Cluster: a pool and its Node, whose taint changes on either. */
public final class PoolCanary implements Canary {
    private static final String TAINT = "example.com/canary=";
    private final MachineSuite suite;
    private final Pools pools;
    private final String name;
    private int touches;

    /** Makes them; the controller must be on and have the rights. */
    public PoolCanary(MachineSuite suite, Pools pools) {
        this.suite = suite;
        this.pools = pools;
        this.name = suite.fleet().namespace() + "-canary-pool";
        pools.create(name, 1);
    }

    @Override
    public void awaitSeen() {
        String taint = TAINT + ++touches + ":NoSchedule";
        pools.declare(name, taint + ":Always");
        awaitOnNode(taint);
        suite.admin().mergePatch(Fleet.nodePath(node()), Taints.patch());
        awaitOnNode(taint);
    }

    private void awaitOnNode(String taint) {
        await("change of " + name).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(20))
                .untilAsserted(() -> assertThat(Taints.on(suite.node(node()))).contains(taint));
    }

    private String node() {
        return name + "-0";
    }

    @Override
    public boolean isAnswer(AuditRequest request) {
        return request.name().startsWith(name);
    }
}
