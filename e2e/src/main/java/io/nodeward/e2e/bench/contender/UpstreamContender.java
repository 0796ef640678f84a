package io.nodeward.e2e.bench.contender;

import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.Upstream;
import java.util.ArrayList;
import java.util.List;

/**
 * Cluster API's core manager, which can carry taints itself.
 *
 * @param carries whether its gate for that is on
 * @param limits flags besides gates, kubeconfig and addresses
 */
public record UpstreamContender(String name, boolean carries, List<String> limits) implements Contender {
    private static final String GATES = "MachinePool=true,ClusterTopology=true,MachineTaintPropagation=";

    private static final List<String> RAISED = List.of(
            "--clustercache-client-qps=1000", "--clustercache-client-burst=2000",
            "--kube-api-qps=1000", "--kube-api-burst=2000", "--machine-concurrency=200");

    /** With the flags it ships with: at most 20 requests a second to a workload cluster. */
    public static UpstreamContender asShipped() {
        return new UpstreamContender("upstream", true, List.of());
    }

    /** Without limits that are felt. */
    public static UpstreamContender raised() {
        return new UpstreamContender("upstream-raised", true, RAISED);
    }

    /** Leaves taints to somebody else. */
    public static UpstreamContender off() {
        return new UpstreamContender("upstream-off", false, RAISED);
    }

    @Override
    public String version() {
        return Component.CLUSTER_API.cacheName();
    }

    @Override
    public List<String> flags() {
        List<String> flags = new ArrayList<>(List.of("--feature-gates=" + GATES + carries));
        flags.addAll(limits);
        return flags;
    }

    @Override
    public Running start(Testbed bed) {
        return new Running(List.of(Upstream.launch(bed.controlPlane(), bed.management(), GATES + carries, limits)));
    }
}
