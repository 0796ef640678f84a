package io.nodeward.controller.machine;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.SimulationContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Machines and their Nodes. */
class MachineSimulationTest extends SimulationContract<MachineWorld> {
    private static final int EVENTS = 40;
    private static final List<String> MACHINES = List.of("m0", "m1", "m2");

    @Override
    protected MachineWorld world(Random faults) {
        return new MachineWorld(faults);
    }

    @Override
    protected List<Consumer<MachineWorld>> events(Random random) {
        List<Consumer<MachineWorld>> events = new ArrayList<>();
        Initialization initialization =
                random.nextBoolean() ? Initialization.WHEN_UNTRACKED : Initialization.WHEN_UNINITIALIZED;
        events.add(world -> world.initialize(initialization));
        for (int event = 0; event < EVENTS; event++) {
            events.add(event(random, MACHINES.get(random.nextInt(3)), "uid-" + event));
        }
        // What a Machine leaves behind that goes, or comes to share its Node, depends on how far it came.
        events.add(world -> world.delete("twin"));
        MACHINES.forEach(name -> events.add(world -> world.ensure(name)));
        events.add(world -> world.pause(false));
        events.add(world -> world.answer(true));
        return events;
    }

    private static Consumer<MachineWorld> event(Random random, String name, String uid) {
        boolean yes = random.nextBoolean();
        String foreign = "foreign" + random.nextInt(3);
        List<MachineTaint> taints = taints(random);
        Map<String, String> labels = yes ? Map.of("node.cluster.x-k8s.io/zone", foreign) : Map.of();
        return switch (random.nextInt(18)) {
            case 0 -> world -> world.create(name, uid, name);
            case 1 -> world -> world.createNamed(name, uid);
            case 2 -> world -> world.create("twin", uid, name);
            case 3 -> world -> world.delete(yes ? "twin" : name);
            case 4, 5, 6, 7 -> world -> world.declare(name, taints, labels);
            case 8, 9 -> world -> world.join(name, uid);
            case 10 -> world -> world.joinInitialized(name, uid);
            case 11 -> world -> world.finish(name);
            case 12 -> world -> world.leave(name);
            case 13 -> world -> world.taint(name, foreign, yes);
            case 14 -> world -> world.wipe(name);
            case 15 -> world -> world.heartbeat(name);
            case 16 -> world -> world.pause(yes);
            default -> world -> world.answer(yes);
        };
    }

    /** Now and then one that no Node may have. */
    private static List<MachineTaint> taints(Random random) {
        List<MachineTaint> taints = FleetSimulation.taints(random);
        if (random.nextInt(8) == 0) {
            taints.add(new MachineTaint("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule", MachineTaint.ALWAYS));
        }
        return taints;
    }
}
