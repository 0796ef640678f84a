package io.nodeward.core.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * What a controller decides, through the loop that carries it out, without a thread, a clock or a server. Its seed repeats
 * every run.
 *
 * @param <W> the objects that the controller works on, and itself
 */
public abstract class SimulationContract<W extends Simulation> {
    private static final int CASES = Integer.getInteger("nodeward.test.iterations", 2_000) / 10;

    /** @param faults of writes */
    protected abstract W world(Random faults);

    /** What others do, in order: where that leads must not depend on how far the controller comes between two of them. */
    protected abstract List<Consumer<W>> events(Random random);

    @Test
    void late_events_failed_writes_and_restarts_anywhere_lead_to_where_an_undisturbed_run_leads() {
        int all = 0;
        for (long seed = 0; seed < CASES; seed++) {
            List<Consumer<W>> events = events(random(seed));
            W undisturbed = undisturbed(events);
            W disturbed = disturbed(events, random(~seed));
            assertThat(disturbed.state()).as("seed %d", seed).isEqualTo(undisturbed.state());

            assertThat(disturbed.left()).as("left to do, seed %d", seed).isEmpty();

            int writes = disturbed.writes();
            all += writes;
            disturbed.restart();
            disturbed.settle();
            assertThat(disturbed.writes()).as("writes with nothing to do, seed %d", seed).isEqualTo(writes);
        }
        assertThat(all).as("writes").isPositive();
    }

    private W undisturbed(List<Consumer<W>> events) {
        W world = world(new Random(0));
        world.endFaults();
        events.forEach(event -> {
            event.accept(world);
            world.settle();
        });
        return world;
    }

    private W disturbed(List<Consumer<W>> events, Random random) {
        W world = world(random);
        events.forEach(event -> {
            event.accept(world);
            world.disturb(random);
        });
        for (int more = 0; more < events.size(); more++) {
            world.disturb(random);
        }
        world.endFaults();
        world.settle();
        world.touchRejected();
        world.settle();
        return world;
    }

    /** Spread: Randoms of neighbouring seeds begin alike. */
    private static Random random(long seed) {
        return new Random(seed * 0x9E37_79B9_7F4A_7C15L);
    }
}
