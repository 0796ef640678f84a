package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the controller sends about node groups besides their annotations, from their first day to their last. */
class AdapterRequestsTest {
    private static final Duration LASTING = Duration.ofSeconds(31);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final AdapterWorld world = new AdapterWorld(new Random(0));

    @Test
    void all_that_may_become_of_a_node_group() {
        world.record();
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            world.create(kind, "uid-" + kind);
            world.step("a " + kind, LASTING);
            declare(kind, "a");
            world.step("a taint is declared", LASTING);
            world.annotate(kind, CapacityAnnotations.TAINTS, Optional.of("mine=x:NoExecute, blank:NoExecute"));
            world.step("somebody writes what the autoscaler cannot read", LASTING);
            world.annotate(kind, CapacityAnnotations.TAINTS, Optional.empty());
            world.step("and takes it away", LASTING);
            world.apply(kind, Map.of(CapacityAnnotations.TAINTS, "flux:NoSchedule"));
            world.step("another manager has the text", LASTING);
            world.apply(kind, Map.of());
            world.step("and lets go of it", LASTING);
            fails(kind);
            undo(kind);
            world.pause(true);
            declare(kind, "b");
            world.step("the Cluster is paused", LASTING);
            world.pause(false);
            world.step("it is not paused any more", LASTING);
            world.annotate(kind, CapacityAnnotations.TAINTS, Optional.of("mine=x:NoExecute, blank:NoExecute"));
            world.step("what cannot be read once more", LASTING);
            world.size(kind, false);
            world.step("it is no node group any more", LASTING);
            world.delete(kind);
            world.step("it is deleted", LASTING);
        }
        world.requests().assertRecorded(getClass(), "adapter");
    }

    private void fails(NodeGroupKind kind) {
        for (Fault fault : List.of(Fault.REJECTED, Fault.FORBIDDEN, Fault.CONFLICT, Fault.THROTTLED, Fault.UNREACHABLE,
                Fault.ANSWER_LOST)) {
            world.fail(fault, fault == Fault.CONFLICT ? 1 : 1_000);
            declare(kind, fault.name().toLowerCase());
            world.step("a write fails: " + fault, LONG);
            world.step("it still fails", LONG);
            world.fail(Fault.NONE, 0);
            declare(kind, "after-" + fault.name().toLowerCase());
            world.step("it does not fail any more", LONG);
        }
    }

    private void undo(NodeGroupKind kind) {
        for (int writes = 0; writes < 20; writes++) {
            world.change(kind, AdapterWorld::undone);
            world.step("somebody takes it away", Duration.ZERO);
        }
        world.change(kind, AdapterWorld::undone);
        world.step("and again", LASTING);
        world.step("and stops", LONG);
        world.step("it lasts", LONG);
    }

    private void declare(NodeGroupKind kind, String key) {
        world.declare(kind, new Template(Map.of(), Map.of(), List.of(
                new MachineTaint("declared-" + key, "", "NoExecute", MachineTaint.ALWAYS))));
    }
}
