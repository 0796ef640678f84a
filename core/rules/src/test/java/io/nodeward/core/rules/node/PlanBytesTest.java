package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Fleet;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a plan allocates: a count, the same on every machine. The limits are a quarter above. */
class PlanBytesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int PLANS = 20_000;

    private static final Map<String, String> LABELS = Map.of(
            "cluster.x-k8s.io/cluster-name", "prod",
            "node-role.kubernetes.io/worker", "",
            "node.cluster.x-k8s.io/pool", "batch");

    private static Machine machine(String value) {
        return Fleet.machine(
                LABELS, Map.of(),
                List.of(always("example.com/a", value, "NoSchedule"), always("example.com/b", "", "NoExecute")));
    }

    private static Node node() {
        return Fleet.node(
                LABELS,
                Map.of(
                        ClusterApi.TAINTS_FROM_MACHINE, "example.com/a:NoSchedule,example.com/b:NoExecute",
                        ClusterApi.LABELS_FROM_MACHINE, "node-role.kubernetes.io/worker,node.cluster.x-k8s.io/pool"),
                Taint.of("example.com/a", "1", "NoSchedule"), Taint.of("example.com/b", "", "NoExecute"));
    }

    /** Bytes per plan; also checks that all of them are of the kind that is meant. */
    private static long bytes(Machine machine, boolean converged) {
        Node node = node();
        plans(machine, node, converged);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        plans(machine, node, converged);
        return (THREADS.getCurrentThreadAllocatedBytes() - before) / PLANS;
    }

    private static void plans(Machine machine, Node node, boolean converged) {
        for (int i = 0; i < PLANS; i++) {
            NodePlan plan = NodePlanner.plan(Owner.of(machine), node, NodePolicy.forMachines());
            requireIs(plan, converged);
        }
    }

    private static void requireIs(NodePlan plan, boolean converged) {
        if (plan.change().isEmpty() != converged) {
            throw new AssertionError("another plan than what is measured: " + plan);
        }
    }

    @Test
    void a_plan_that_changes_nothing_allocates_little() {
        assertThat(bytes(machine("1"), true)).as("2240 when written").isLessThan(2800);
    }

    @Test
    void a_plan_that_changes_one_taint_allocates_little() {
        assertThat(bytes(machine("2"), false)).as("2560 when written").isLessThan(3200);
    }
}
