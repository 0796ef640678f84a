package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.CpuTimes;
import io.nodeward.e2e.bench.load.Observer;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * One edit of a MachinePool without Machines that all Nodes follow. The fleet's Machines make way for the pool, so
 * nothing that needs them comes after it. The upstream manager has no part: it refuses taints of pools.
 */
final class PoolBurst extends PairedScenario {
    private final String name;

    PoolBurst(int size, Setup setup) {
        super(List.of("pool-" + size), size, setup);
        this.name = "pool-" + size;
    }

    @Override
    List<Turn> turns() {
        List<Turn> turns = new ArrayList<>(List.of(Turn.each("ideal", this::ideal)));
        setup.entrants().forPools().forEach(contender -> turns.add(Turn.each(contender.name(), run(contender))));
        return turns;
    }

    private Run run(Contender contender) {
        return (pair, samples) -> {
            Testbed bed = setup.bed();
            bed.makePool(size());
            Burst burst = new Burst(setup, size());
            Burst.Trigger edit = (value, sent) -> {
                Arrays.fill(sent, System.nanoTime());
                bed.declareInPool(value);
            };
            int value = bed.nextValue();
            try (Round first = Round.expect(bed.nodes(), value, size()); Running running = contender.start(bed)) {
                bed.declareInPool(value); // makes it warm
                first.await(Setup.patience(size()), running::check);
                setup.settled(running);
                first.close();
                bed.awaitQuiet();
                samples.accept(burst.of(running, edit).sample(name, contender.name(), pair));
            }
        };
    }

    private void ideal(int pair, Consumer<Sample> samples) {
        Testbed bed = setup.bed();
        bed.makePool(size());
        setup.ideal().prepare(size(), setup.quick());
        bed.awaitQuiet();
        int value = bed.nextValue();
        CpuTimes before = bed.cpu(List.of());
        try (Observer own = setup.ideal().watch(); Round round = Round.expect(bed.nodes(), value, size())) {
            long start = System.nanoTime();
            setup.ideal().write(size(), value);
            round.await(Setup.patience(size()), () -> {});
            CpuTimes taken = bed.cpu(List.of()).since(before);
            samples.accept(Burst.writes(Burst.sinceStart(round, start, size()), taken).sample(name, "ideal", pair));
        }
    }
}
