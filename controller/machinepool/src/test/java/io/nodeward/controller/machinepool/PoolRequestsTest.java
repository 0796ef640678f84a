package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the controller sends to the management cluster about a MachinePool, from its first day to its last. */
class PoolRequestsTest {
    private static final Duration LASTING = Duration.ofSeconds(31);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final PoolWorld world = new PoolWorld(new Random(0));

    @Test
    void all_that_may_become_of_a_pool() {
        world.record();
        world.create("p", "uid-p");
        world.step("a pool without Nodes", LASTING);
        world.list("p", List.of("a"));
        world.step("its Node has not joined", LASTING);
        world.join("a", "uid-a");
        world.step("it joins", LASTING);
        declare("a");
        world.step("a taint is declared", LASTING);
        world.step("the Node waits to be initialized", LONG);
        world.taint("a", "node.cluster.x-k8s.io/uninitialized", false);
        world.step("it is initialized", LASTING);
        world.declare("p", List.of(new MachineTaint("node.cluster.x-k8s.io/outdated-revision", "", "NoSchedule",
                MachineTaint.ALWAYS)));
        world.step("a taint that no Node may have", LASTING);
        world.step("it lasts", LASTING);
        declare("b");
        world.step("another one", LASTING);
        fails();
        world.create("q", "uid-q");
        world.list("q", List.of("a"));
        world.step("another pool has the Node too", LASTING);
        world.step("it lasts", LASTING);
        world.delete("q");
        world.step("it is deleted", LASTING);
        world.machine("a", "uid-m");
        world.step("the Node has a Machine of its own", LASTING);
        world.deleteMachine();
        world.step("it is deleted", LASTING);
        world.answer(false);
        declare("c");
        world.step("the cluster does not answer", LASTING);
        world.answer(true);
        world.step("it does", LASTING);
        undo();
        world.pause(true);
        declare("d");
        world.step("the Cluster is paused", LASTING);
        world.pause(false);
        world.step("it is not paused any more", LASTING);
        world.delete("p");
        world.step("the pool is deleted", LASTING);
        world.requests().assertRecorded(getClass(), "pool");
    }

    private void fails() {
        for (Fault fault : List.of(Fault.REJECTED, Fault.FORBIDDEN, Fault.CONFLICT, Fault.THROTTLED, Fault.UNREACHABLE,
                Fault.ANSWER_LOST, Fault.UNAVAILABLE)) {
            world.fail(fault, fault == Fault.CONFLICT || fault == Fault.UNAVAILABLE ? 1 : 1_000);
            declare(fault.name().toLowerCase().replace('_', '-'));
            world.step("a write fails: " + fault, LONG);
            world.step("it still fails", LONG);
            world.step("and the pool has been looked at", LONG);
            world.fail(Fault.NONE, 0);
            declare("after-" + fault.name().toLowerCase().replace('_', '-'));
            world.step("it does not fail any more", LONG);
        }
    }

    private void undo() {
        for (int writes = 0; writes < 20; writes++) {
            world.wipe("a");
            world.step("somebody takes the taints off", Duration.ZERO);
        }
        world.wipe("a");
        world.step("and again", LASTING);
        world.step("it is reported", LASTING);
        world.step("and stops", LONG);
        world.step("it lasts", LONG);
    }

    private void declare(String key) {
        world.declare("p", List.of(new MachineTaint("declared-" + key, "", "NoExecute", MachineTaint.ALWAYS)));
    }
}
