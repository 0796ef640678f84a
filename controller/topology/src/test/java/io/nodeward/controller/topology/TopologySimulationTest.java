package io.nodeward.controller.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.SimulationContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** A Cluster's topology, down to the Machines. */
class TopologySimulationTest extends SimulationContract<TopologyWorld> {
    private static final int EVENTS = 40;
    private static final List<String> KINDS = List.of("MachineDeployment", "MachineSet", "MachinePool", "Machine");

    @Override
    protected TopologyWorld world(Random faults) {
        return new TopologyWorld(faults);
    }

    @Override
    protected List<Consumer<TopologyWorld>> events(Random random) {
        List<Consumer<TopologyWorld>> events = new ArrayList<>();
        events.add(world -> world.declareInClass(List.of()));
        events.add(world -> world.declare(List.of()));
        events.add(world -> world.create("MachineDeployment", "uid-d", List.of()));
        events.add(world -> world.create("MachinePool", "uid-p", List.of()));
        for (int event = 0; event < EVENTS; event++) {
            events.add(event(random, KINDS.get(random.nextInt(4)), "uid-" + event));
        }
        List<MachineTaint> last = FleetSimulation.taints(random);
        List<MachineTaint> contested = random.nextBoolean() ? FleetSimulation.taints(random) : List.of();
        // What is left where another controller came, or where nothing is known to be declared, depends on how far it came.
        events.add(world -> world.create("MachineSet", "uid-last", contested));
        events.add(world -> world.declareInClass(last));
        KINDS.forEach(kind -> events.add(world -> world.pause(kind, kind.equals("MachinePool") ? "p" : "d", false)));
        events.add(world -> world.pause(false));
        return events;
    }

    private static Consumer<TopologyWorld> event(Random random, String kind, String uid) {
        boolean yes = random.nextBoolean();
        List<MachineTaint> taints = FleetSimulation.taints(random);
        List<MachineTaint> contested = yes ? FleetSimulation.taints(random) : List.of();
        String key = "foreign" + random.nextInt(3);
        List<MachineTaint> foreign =
                yes ? List.of(new MachineTaint(key, "", "NoSchedule", MachineTaint.ALWAYS)) : List.of();
        return switch (random.nextInt(16)) {
            case 0, 1, 2 -> world -> world.declareInClass(taints);
            case 3 -> TopologyWorld::deleteClass;
            case 4, 5, 6 -> world -> world.declare(taints);
            case 7 -> world -> world.create(kind, uid, contested);
            case 8, 9 -> world -> world.apply("MachineDeployment", "kubectl-apply", foreign);
            case 10 -> world -> world.apply("MachineSet", "capi-machinedeployment", List.of());
            case 11, 12 -> world -> world.takeOff(kind);
            case 13, 14 -> world -> world.pause(kind, kind.equals("MachinePool") ? "p" : "d", yes);
            default -> world -> world.pause(yes);
        };
    }
}
