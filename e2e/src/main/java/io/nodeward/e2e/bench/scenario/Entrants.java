package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import java.util.List;
import java.util.stream.Stream;

/**
 * Who takes part.
 *
 * @param nodeward each backend
 * @param raised the upstream manager without limits that are felt; empty or one
 * @param asShipped the same with its own limits, which all that is measured of is this limit; empty or one
 * @param forPools each backend, with the gate for pools on
 * @param elected each backend, with leader election
 * @param shared the upstream manager that leaves taints to Nodeward, and Nodeward; empty or one
 */
public record Entrants(
        List<Contender> nodeward,
        List<Contender> raised,
        List<Contender> asShipped,
        List<Contender> forPools,
        List<Contender> elected,
        List<Contender> shared) {
    public Entrants {
        nodeward = List.copyOf(nodeward);
        raised = List.copyOf(raised);
        asShipped = List.copyOf(asShipped);
        forPools = List.copyOf(forPools);
        elected = List.copyOf(elected);
        shared = List.copyOf(shared);
    }

    /** Who runs in each pair. */
    List<Contender> usual() {
        return Stream.concat(nodeward.stream(), raised.stream()).toList();
    }

    /** Returns all but those with further flags, which have the same names. */
    public List<Contender> usualAndOnce() {
        return Stream.of(nodeward, raised, asShipped, shared).flatMap(List::stream).toList();
    }
}
