package io.nodeward.e2e.bench.micro;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.testkit.RealObjects;
import io.nodeward.e2e.controlplane.Directories;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What one reconciliation decides, from objects as they are in the cache. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PlanBenchmark {
    private static final int MANY = 50;

    private static final NodePolicy POLICY = NodePolicy.forMachines();
    private final Node node;
    private final Machine machine;
    private final Machine changed;
    private final Machine many;

    public PlanBenchmark() {
        node = Directories.io(() -> Projection.NODE.read(RealObjects.node(1, 1)));
        machine = Directories.io(() -> Projection.MACHINE.read(RealObjects.machine(1, 1)));
        changed = declaring(machine, taint("example.com/dedicated", "web"), taint("example.com/gpu", ""));
        many = declaring(machine, IntStream.range(0, MANY)
                .mapToObj(i -> taint("example.com/taint-" + i, "v"))
                .toArray(MachineTaint[]::new));
        if (!plan(machine, node).change().isEmpty() || plan(changed, node).change().isEmpty()) {
            throw new IllegalStateException("the objects are not what they are named");
        }
    }

    private static MachineTaint taint(String key, String value) {
        String effect = key.endsWith("gpu") ? "NoExecute" : "NoSchedule";
        return new MachineTaint(key, value, effect, MachineTaint.ALWAYS);
    }

    private static Machine declaring(Machine machine, MachineTaint... taints) {
        return new Machine(
                machine.metadata(), machine.clusterName(), machine.providerId(), machine.nodeName(),
                List.of(taints), machine.conditions());
    }

    private static NodePlan plan(Machine machine, Node node) {
        return NodePlanner.plan(Owner.of(machine), node, POLICY);
    }

    /** The Node is as declared. */
    @Benchmark
    public NodePlan converged(CpuTime cpu) {
        cpu.calls++;
        return plan(machine, node);
    }

    /** One of two taints has another value. */
    @Benchmark
    public NodePlan oneChanged(CpuTime cpu) {
        cpu.calls++;
        return plan(changed, node);
    }

    /** Fifty taints are new. */
    @Benchmark
    public NodePlan manyNew(CpuTime cpu) {
        cpu.calls++;
        return plan(many, node);
    }
}
