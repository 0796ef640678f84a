package io.nodeward.e2e.bench.scenario;

import java.util.List;
import java.util.stream.Stream;

/**
 * A burst, carried by the upstream manager on its own, and by Nodeward beside one that leaves taints alone: what
 * changes for those who run both.
 */
final class FairPair extends Burst {
    FairPair(int size, Setup setup) {
        super("fair-pair", size, setup);
    }

    @Override
    List<Turn> turns() {
        return Stream.concat(setup.entrants().raised().stream(), setup.entrants().shared().stream())
                .map(contender -> Turn.each(contender.name(), run(contender))).toList();
    }
}
