package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.load.Round;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/** Gives every contender its turn in each pair; who begins moves on by one from pair to pair. */
abstract class PairedScenario implements Scenario {
    private static final int MOST_TRIES = 3;

    private final String name;
    private final int size;
    final Setup setup;

    /** @param size of the fleet */
    PairedScenario(String name, int size, Setup setup) {
        this.name = name;
        this.size = size;
        this.setup = setup;
    }

    @Override
    public final String name() {
        return name;
    }

    final int size() {
        return size;
    }

    /** Work of one contender in one pair. */
    interface Run {
        /** @param samples takes what it took, with the pair's number */
        void run(int pair, Consumer<Sample> samples);
    }

    /** @param lastPair after which it takes part no more: repeating it would say nothing new */
    record Turn(String contender, int lastPair, Run run) {
        static Turn each(String contender, Run run) {
            return new Turn(contender, Integer.MAX_VALUE, run);
        }

        static Turn once(String contender, Run run) {
            return new Turn(contender, 1, run);
        }
    }

    /** In the order of the first pair. */
    abstract List<Turn> turns();

    /** Nodeward in each pair, the upstream manager as it ships once: no goal is measured by it here. */
    final List<Turn> oneByOne(Function<Contender, Run> run) {
        return Stream.concat(
                setup.entrants().nodeward().stream().map(c -> Turn.each(c.name(), run.apply(c))),
                setup.entrants().asShipped().stream().map(c -> Turn.once(c.name(), run.apply(c)))).toList();
    }

    /** @throws IllegalStateException after all the rest if turns failed, with all reasons */
    @Override
    public final void run(int pairs, Consumer<Sample> samples) {
        List<String> failures = new ArrayList<>();
        setup.fleet(size);
        for (int pair = 1; pair <= pairs; pair++) {
            List<Turn> order = new ArrayList<>(turns());
            Collections.rotate(order, 1 - pair);
            for (Turn turn : order) {
                if (pair <= turn.lastPair()) {
                    take(turn, pair, samples, failures);
                }
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException(String.join("\n", failures));
        }
    }

    private void take(Turn turn, int pair, Consumer<Sample> samples, List<String> failures) {
        for (int tries = 1;; tries++) {
            try {
                setup.bed().level();
                turn.run().run(pair, samples);
                return;
            } catch (Round.CutException e) {
                setup.bed().say("%s, pair %d, once more: %s".formatted(turn.contender(), pair, e.getMessage()));
                if (tries == MOST_TRIES) {
                    failures.add(failure(turn, pair, e));
                    return;
                }
            } catch (RuntimeException e) {
                failures.add(failure(turn, pair, e));
                return;
            }
        }
    }

    private String failure(Turn turn, int pair, RuntimeException e) {
        String failure = "%s, %s, pair %d: %s".formatted(name, turn.contender(), pair, e.getMessage());
        setup.bed().say("FAILED " + failure);
        return failure;
    }
}
