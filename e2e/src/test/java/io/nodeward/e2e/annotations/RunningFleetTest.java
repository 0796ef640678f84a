package io.nodeward.e2e.annotations;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import io.nodeward.e2e.machinepool.PoolCanary;
import io.nodeward.e2e.machinepool.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Taints that are set once, switched on where Nodes have worked for months: declared in spec and by annotation. */
class RunningFleetTest {
    private static final String POOLS = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String ALWAYS = "example.com/always:NoSchedule";
    private static final String ONCE = "example.com/once:NoExecute";
    private static final String ALWAYS_TOO = "example.com/always-too:NoSchedule";
    private static final String ONCE_TOO = "example.com/once-too:NoExecute";
    private static final String[] IN_SPEC = {ALWAYS + ":Always", ONCE + ":OnInitialization"};
    private static final Map<String, String> BY_ANNOTATION = Map.of(
            "taint.nodeward.io/always", ALWAYS_TOO, "taint.nodeward.io/once", ONCE_TOO + ":OnInitialization");
    private static final String BY_KUBEADM = Provider.CONTROL_PLANE + ":NoSchedule";
    private static final String POOL = "running-pool";

    private MachineSuite suite;
    private Pools pools;

    @Test
    void only_new_nodes_get_them_if_so_chosen_and_control_planes_never() {
        try (MachineSuite opened = MachineSuite.in("running", "machinepool");
                Pools openedPools = new Pools(opened, "c")) {
            suite = opened;
            pools = openedPools;
            suite.cluster("c");
            suite.add(MachineCanary.in(suite, "c"));
            suite.add(new PoolCanary(suite, pools));
            running("running-old");
            suite.fleet().node(Taints.register(NodeSpec.named("running-cp"), BY_KUBEADM));
            suite.fleet().machine(declaring("running-cp").withLabels(Map.of("cluster.x-k8s.io/control-plane", "")));
            runningPool();
            try (RunningNodeward nodeward = suite.start(POOLS, "--initialization=whenUninitialized")) {
                suite.fleet().pair(declaring("running-new"));
                pools.node(POOL, 1);
                pools.scale(POOL, 2);
                newNodesHaveAll();
                oldOnesHaveTheOthers();
                suite.settled();
                oldOnesHaveTheOthers();
                assertThat(nodeward.isReady()).isTrue();
            }
            running("running-old-too");
            try (RunningNodeward byTheSeedsRule = suite.start(POOLS)) {
                // The difference: without the flag they are set here, and not where the flag has kept them off.
                awaitTaints("running-old-too", List.of(), ALWAYS, ONCE, ALWAYS_TOO, ONCE_TOO);
                suite.settled();
                oldOnesHaveTheOthers();
                assertThat(byTheSeedsRule.isReady()).isTrue();
            }
        }
    }

    private void newNodesHaveAll() {
        awaitTaints("running-new", List.of(), ALWAYS, ONCE, ALWAYS_TOO, ONCE_TOO);
        awaitTaints(POOL + "-1", List.of(UNINITIALIZED), ALWAYS, ONCE, ALWAYS_TOO, ONCE_TOO);
    }

    private void oldOnesHaveTheOthers() {
        awaitTaints("running-old", List.of(), ALWAYS, ALWAYS_TOO);
        awaitTaints("running-cp", List.of(BY_KUBEADM), ALWAYS, ALWAYS_TOO);
        awaitTaints(POOL + "-0", List.of(), ALWAYS, ALWAYS_TOO);
    }

    /** A Machine whose Node was initialized long ago, by others. */
    private void running(String name) {
        suite.fleet().node(NodeSpec.named(name));
        suite.fleet().machine(declaring(name));
    }

    private void runningPool() {
        suite.fleet().node(NodeSpec.named(POOL + "-0"));
        pools.create(POOL, 0, IN_SPEC);
        pools.annotate(POOL, BY_ANNOTATION);
        pools.scale(POOL, 1);
    }

    private static MachineSpec declaring(String name) {
        return Taints.declare(MachineSpec.named(name, "c"), IN_SPEC).withAnnotations(BY_ANNOTATION);
    }

    private void awaitTaints(String node, List<String> foreign, String... taints) {
        List<String> all = new ArrayList<>(foreign);
        all.addAll(List.of(taints));
        await("taints of " + node).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(Taints.on(suite.node(node))).containsExactlyInAnyOrderElementsOf(all));
    }
}
