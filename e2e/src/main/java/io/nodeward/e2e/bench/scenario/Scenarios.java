package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.Scenario;
import java.util.List;

/** All kinds of work, in an order in which the fleet only grows; at the end its Machines make way for a pool. */
public final class Scenarios {
    private Scenarios() {}

    /**
     * All of them.
     *
     * @param small a fleet of this size for what upstream takes too long for otherwise
     * @param large for the rest
     */
    public static List<Scenario> all(Setup setup, int small, int large) {
        return List.of(
                DrainAndBurst.small(small, setup),
                DrainAndBurst.large(large, setup),
                Steady.all(large, setup),
                new Restart(large, setup),
                new Takeover(large, setup),
                new PoolBurst(large, setup));
    }
}
