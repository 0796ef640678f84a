package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.SimulationContract;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** Node groups and what others write to their annotations. */
class AdapterSimulationTest extends SimulationContract<AdapterWorld> {
    private static final int EVENTS = 40;
    private static final String LABEL = "node.cluster.x-k8s.io/zone";

    @Override
    protected AdapterWorld world(Random faults) {
        return new AdapterWorld(faults);
    }

    @Override
    protected List<Consumer<AdapterWorld>> events(Random random) {
        List<Consumer<AdapterWorld>> events = new ArrayList<>();
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            events.add(world -> world.create(kind, "uid-" + kind));
        }
        for (int event = 0; event < EVENTS; event++) {
            events.add(event(random, NodeGroupKind.values()[random.nextInt(3)], "uid-" + event));
        }
        // What is remembered while another manager has a text, or while a MachineSet is owned, depends on the past.
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            events.add(world -> world.apply(kind, Map.of()));
        }
        events.add(world -> world.adopt(false));
        events.add(world -> world.pause(false));
        return events;
    }

    private static Consumer<AdapterWorld> event(Random random, NodeGroupKind kind, String uid) {
        boolean yes = random.nextBoolean();
        Template template = template(random);
        Optional<String> entry = entry(random);
        return switch (random.nextInt(16)) {
            case 0 -> world -> world.create(kind, uid);
            case 1 -> world -> world.delete(kind);
            case 2, 3, 4, 5 -> world -> world.declare(kind, template);
            case 6, 7 -> world -> world.annotate(kind, CapacityAnnotations.TAINTS, entry);
            case 8 -> world -> world.annotate(kind, CapacityAnnotations.LABELS, Optional.empty());
            case 9, 10 -> world -> world.size(kind, yes);
            case 11 -> world -> world.change(kind, AdapterWorld::undone);
            case 12, 13 -> world -> world.apply(
                    kind, yes ? Map.of(CapacityAnnotations.TAINTS, "flux:NoSchedule") : Map.of());
            case 14 -> world -> world.adopt(yes);
            default -> world -> world.pause(yes);
        };
    }

    private static Template template(Random random) {
        List<MachineTaint> taints = FleetSimulation.taints(random);
        Map<String, String> labels = random.nextBoolean() ? Map.of(LABEL, "z" + random.nextInt(2)) : Map.of();
        return new Template(labels, Map.of(), taints);
    }

    /** Now and then one that the autoscaler cannot read. */
    private static Optional<String> entry(Random random) {
        String mine = "mine" + random.nextInt(2) + "=x:NoExecute";
        return switch (random.nextInt(4)) {
            case 0 -> Optional.empty();
            case 1 -> Optional.of(mine + ", blank:NoExecute");
            default -> Optional.of(mine);
        };
    }
}
