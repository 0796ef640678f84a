package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.runtime.simulation.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What the machine controller decides, through the loop that carries it out, without a thread, a clock or a server. Its
 * seed repeats every run.
 */
class MachineSimulationTest {
    private static final int CASES = Integer.getInteger("nodeward.test.iterations", 2_000) / 10;
    private static final int EVENTS = 40;
    private static final List<String> MACHINES = List.of("m0", "m1", "m2");
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    @Test
    void late_events_failed_writes_and_restarts_anywhere_lead_to_where_an_undisturbed_run_leads() {
        for (long seed = 0; seed < CASES; seed++) {
            List<Consumer<MachineWorld>> events = events(random(seed));
            MachineWorld undisturbed = undisturbed(events);
            MachineWorld disturbed = disturbed(events, random(~seed));
            assertThat(disturbed.state()).as("seed %d", seed).isEqualTo(undisturbed.state());

            int writes = disturbed.writes();
            disturbed.restart();
            disturbed.settle();
            assertThat(disturbed.writes()).as("writes with nothing to do, seed %d", seed).isEqualTo(writes);
        }
    }

    private static MachineWorld undisturbed(List<Consumer<MachineWorld>> events) {
        MachineWorld world = new MachineWorld(new Random(0));
        world.endFaults();
        events.forEach(event -> {
            event.accept(world);
            world.settle();
        });
        return world;
    }

    private static MachineWorld disturbed(List<Consumer<MachineWorld>> events, Random random) {
        MachineWorld world = new MachineWorld(random);
        events.forEach(event -> {
            event.accept(world);
            world.disturb(random);
        });
        for (int more = 0; more < EVENTS; more++) {
            world.disturb(random);
        }
        world.endFaults();
        world.settle();
        world.touchRejected();
        world.settle();
        return world;
    }

    private static List<Consumer<MachineWorld>> events(Random random) {
        List<Consumer<MachineWorld>> events = new ArrayList<>();
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
        return switch (random.nextInt(16)) {
            case 0, 1 -> world -> world.create(name, uid, name);
            case 2 -> world -> world.create("twin", uid, name);
            case 3 -> world -> world.delete(yes ? "twin" : name);
            case 4, 5, 6, 7 -> world -> world.declare(name, taints, labels);
            case 8, 9 -> world -> world.join(name, uid);
            case 10 -> world -> world.leave(name);
            case 11 -> world -> world.taint(name, foreign, yes);
            case 12 -> world -> world.wipe(name);
            case 13 -> world -> world.heartbeat(name);
            case 14 -> world -> world.pause(yes);
            default -> world -> world.answer(yes);
        };
    }

    /** Now and then one that no Node may have. */
    private static List<MachineTaint> taints(Random random) {
        List<MachineTaint> taints = new ArrayList<>();
        for (String effect : EFFECTS) {
            if (random.nextBoolean()) {
                taints.add(new MachineTaint(Simulation.DECLARED + random.nextInt(2), "v" + random.nextInt(3), effect,
                        MachineTaint.ALWAYS));
            }
        }
        if (random.nextInt(8) == 0) {
            taints.add(new MachineTaint("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule", MachineTaint.ALWAYS));
        }
        return taints;
    }

    /** Spread: Randoms of neighbouring seeds begin alike. */
    private static Random random(long seed) {
        return new Random(seed * 0x9E37_79B9_7F4A_7C15L);
    }
}
