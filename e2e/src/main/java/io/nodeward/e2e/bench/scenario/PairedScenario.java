package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import io.nodeward.e2e.bench.load.Round;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Gives every contender its turn in each pair. Who begins moves on by one from pair to pair, and every other pair runs
 * backwards, so that nobody always follows the same one.
 */
abstract class PairedScenario implements Scenario {
    private static final int MOST_TRIES = 3;

    private final List<String> names;
    private final int size;
    private final List<String> failures = new ArrayList<>();
    final Setup setup;

    /** @param size of the fleet */
    PairedScenario(List<String> names, int size, Setup setup) {
        this.names = List.copyOf(names);
        this.size = size;
        this.setup = setup;
    }

    @Override
    public final String name() {
        return String.join("+", names);
    }

    @Override
    public final List<String> names() {
        return names;
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

    /** @throws IllegalStateException after all the rest if turns failed, with the first line of each reason */
    @Override
    public final void run(int pairs, Consumer<Sample> samples) {
        failures.clear();
        setup.fleet(size);
        for (int pair = 1; pair <= pairs; pair++) {
            for (Turn turn : inOrder(turns(), pair)) {
                take(name() + ", " + turn.contender(), pair, samples, turn.run());
            }
        }
        if (!failures.isEmpty()) {
            throw new IllegalStateException(String.join("\n", failures));
        }
    }

    static List<Turn> inOrder(List<Turn> turns, int pair) {
        List<Turn> all = turns.stream().filter(turn -> pair <= turn.lastPair()).toList();
        int step = pair % 2 == 0 ? -1 : 1; // who comes after whom must not always be the same
        return IntStream.range(0, all.size()).mapToObj(i -> all.get(Math.floorMod(pair - 1 + step * i, all.size())))
                .toList();
    }

    /** Once more if the observer was cut; what the last try has measured is kept, whether it got to its end or not. */
    final void take(String what, int pair, Consumer<Sample> samples, Run run) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            List<Sample> taken = new ArrayList<>();
            try {
                setup.bed().level();
                run.run(pair, taken::add);
            } catch (Round.CutException e) {
                if (tries < MOST_TRIES) {
                    setup.bed().say("%s, pair %d, once more: %s".formatted(what, pair, e.getMessage()));
                    continue;
                }
                failed(what, pair, e);
            } catch (RuntimeException e) {
                failed(what, pair, e);
            }
            taken.forEach(samples);
            return;
        }
    }

    final void failed(String what, int pair, RuntimeException e) {
        String message = String.valueOf(e.getMessage());
        setup.bed().say("FAILED %s, pair %d: %s".formatted(what, pair, message));
        failures.add("%s, pair %d: %s".formatted(what, pair, message.lines().findFirst().orElse("")));
    }
}
