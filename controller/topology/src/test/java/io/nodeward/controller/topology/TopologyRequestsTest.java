package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the controller sends about the owners of what it changes, from their first day to their last. */
class TopologyRequestsTest {
    private static final Duration LASTING = Duration.ofSeconds(31);
    private static final Duration LONG = Duration.ofMinutes(15);

    private final TopologyWorld world = new TopologyWorld(new Random(0));

    @Test
    void all_that_may_become_of_a_topology() {
        world.record();
        world.declare(List.of());
        world.step("there is no ClusterClass", LASTING);
        world.declareInClass(List.of());
        world.step("there is one", LASTING);
        world.create("MachineDeployment", "uid-d", List.of());
        world.step("a MachineDeployment", LASTING);
        declare("a");
        world.step("a taint is declared", LASTING);
        fails();
        world.create("MachineSet", "uid-s", List.of(taint("declared-b", "somebody's")));
        declare("b");
        world.step("somebody else has the taint of a MachineSet", LASTING);
        world.step("it lasts", LASTING);
        world.apply("MachineSet", TopologyWorld.SOMEBODY, List.of());
        world.step("and gives it up", LASTING);
        world.step("it lasts too", LASTING);
        undo();
        world.pause(true);
        declare("c");
        world.step("the Cluster is paused", LASTING);
        world.pause(false);
        world.step("it is not paused any more", LASTING);
        world.deleteClass();
        world.step("the ClusterClass is deleted", LASTING);
        world.step("it lasts", LASTING);
        world.requests().assertRecorded(getClass(), "topology");
    }

    private void fails() {
        for (Fault fault : List.of(Fault.REJECTED, Fault.FORBIDDEN, Fault.CONFLICT, Fault.THROTTLED, Fault.UNREACHABLE,
                Fault.ANSWER_LOST)) {
            world.fail(fault, fault == Fault.CONFLICT ? 1 : 1_000);
            declare(fault.name().toLowerCase());
            world.step("a write fails: " + fault, LONG);
            world.step("it still fails", LONG);
            world.step("and the owner has been looked at", LONG);
            world.fail(Fault.NONE, 0);
            declare("after-" + fault.name().toLowerCase());
            world.step("it does not fail any more", LONG);
            world.step("and the owner has been looked at", LONG);
        }
    }

    private void undo() {
        for (int writes = 0; writes < 20; writes++) {
            world.takeOff("MachineSet");
            world.step("somebody takes the taints off", Duration.ZERO);
        }
        world.takeOff("MachineSet");
        world.step("and again", LASTING);
        world.step("it is reported", LASTING);
        world.step("and stops", LONG);
        world.step("it lasts", LONG);
    }

    private void declare(String key) {
        world.declare(List.of(taint("declared-" + key, "")));
    }

    private static MachineTaint taint(String key, String value) {
        return new MachineTaint(key, value, "NoExecute", MachineTaint.ALWAYS);
    }
}
