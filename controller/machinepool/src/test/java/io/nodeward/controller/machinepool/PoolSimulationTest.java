package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.SimulationContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** MachinePools and their Nodes. */
class PoolSimulationTest extends SimulationContract<PoolWorld> {
    private static final int EVENTS = 40;
    private static final List<String> NODES = List.of("n0", "n1", "n2");

    @Override
    protected PoolWorld world(Random faults) {
        return new PoolWorld(faults);
    }

    @Override
    protected List<Consumer<PoolWorld>> events(Random random) {
        List<Consumer<PoolWorld>> events = new ArrayList<>();
        events.add(world -> world.create("p", "uid-p"));
        for (int event = 0; event < EVENTS; event++) {
            events.add(event(random, NODES.get(random.nextInt(3)), "uid-" + event));
        }
        // What a pool leaves on a Node that it loses depends on how far it came.
        events.add(world -> world.delete("q"));
        events.add(PoolWorld::deleteMachine);
        events.add(world -> world.list("p", NODES.subList(0, 2)));
        events.add(world -> world.refer("p", NODES.subList(2, 3)));
        events.add(world -> world.pause(false));
        events.add(world -> world.answer(true));
        return events;
    }

    private static Consumer<PoolWorld> event(Random random, String name, String uid) {
        boolean yes = random.nextBoolean();
        String foreign = "foreign" + random.nextInt(3);
        List<MachineTaint> taints = taints(random);
        List<String> some = NODES.stream().filter(node -> random.nextInt(3) > 0).toList();
        return switch (random.nextInt(16)) {
            case 0 -> world -> world.create("q", uid);
            case 1 -> world -> world.delete("q");
            case 2, 3, 4 -> world -> world.declare(yes ? "p" : "q", taints);
            case 5, 6 -> world -> world.list(yes ? "p" : "q", some);
            case 7 -> world -> world.refer(yes ? "p" : "q", some);
            case 8, 9 -> world -> world.join(name, uid);
            case 10 -> world -> world.leave(name);
            case 11 -> world -> world.taint(name, foreign, yes);
            case 12 -> world -> world.wipe(name);
            case 13 -> world -> {
                if (yes) {
                    world.machine(name, uid);
                } else {
                    world.deleteMachine();
                }
            };
            case 14 -> world -> world.pause(yes);
            default -> world -> world.answer(yes);
        };
    }

    /** Now and then one that no Node may have. */
    private static List<MachineTaint> taints(Random random) {
        List<MachineTaint> taints = FleetSimulation.taints(random);
        if (random.nextInt(8) == 0) {
            taints.add(new MachineTaint("node.cluster.x-k8s.io/outdated-revision", "", "NoSchedule",
                    MachineTaint.ALWAYS));
        }
        return taints;
    }
}
