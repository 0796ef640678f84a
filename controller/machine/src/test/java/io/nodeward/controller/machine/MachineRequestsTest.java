package io.nodeward.controller.machine;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the controller sends to the management cluster about a Machine, from its first day to its last. */
class MachineRequestsTest {
    private static final Duration LASTING = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final MachineWorld world = new MachineWorld(new Random(0));

    @Test
    void all_that_may_become_of_a_machine() {
        world.record();
        world.create("m", "uid-m", "m");
        world.step("no Node has joined", LASTING);
        world.join("m", "uid-n");
        world.step("a Node joins", LASTING);
        declare("a", "NoSchedule");
        world.step("a taint is declared", LASTING);
        world.declare("m", List.of(new MachineTaint("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule",
                MachineTaint.ALWAYS)), Map.of());
        world.step("one that no Node may have", LASTING);
        declare("b", "NoSchedule");
        world.step("another one", LASTING);
        fails();
        world.create("twin", "uid-t", "m");
        world.step("another Machine has the Node too", LASTING);
        world.delete("twin");
        world.step("it is deleted", LASTING);
        world.answer(false);
        declare("c", "NoSchedule");
        world.step("the cluster does not answer", LASTING);
        world.answer(true);
        world.step("it does", LASTING);
        undo();
        world.pause(true);
        world.leave("m");
        world.step("the Cluster is paused, and the Node leaves", LASTING);
        world.pause(false);
        world.step("the Cluster is not paused any more", LASTING);
        world.delete("m");
        world.step("the Machine is deleted", LASTING);
        world.requests().assertRecorded(getClass(), "machine");
    }

    private void fails() {
        for (Fault fault : List.of(Fault.REJECTED, Fault.FORBIDDEN, Fault.CONFLICT, Fault.THROTTLED, Fault.UNREACHABLE,
                Fault.ANSWER_LOST, Fault.UNAVAILABLE)) {
            world.fail(fault, fault == Fault.CONFLICT || fault == Fault.UNAVAILABLE ? 1 : 1_000);
            declare(fault.name().toLowerCase().replace('_', '-'), "NoExecute");
            world.step("a write fails: " + fault, LONG);
            world.step("it still fails", LONG);
            world.fail(Fault.NONE, 0);
            declare("after-" + fault.name().toLowerCase().replace('_', '-'), "NoExecute");
            world.step("it does not fail any more", LONG);
        }
    }

    private void undo() {
        for (int writes = 0; writes < 20; writes++) {
            world.wipe("m");
            world.step("somebody takes the taints off", Duration.ZERO);
        }
        world.wipe("m");
        world.step("and again", LASTING);
        world.step("and stops", LONG);
        world.step("it lasts", LONG);
    }

    private void declare(String key, String effect) {
        world.declare("m", List.of(new MachineTaint("declared-" + key, "", effect, MachineTaint.ALWAYS)), Map.of());
    }
}
