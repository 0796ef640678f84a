package io.nodeward.e2e.bench.scenario;

import io.nodeward.e2e.bench.contender.Contender;
import io.nodeward.e2e.bench.contender.Running;
import io.nodeward.e2e.bench.load.Heartbeats;
import io.nodeward.e2e.bench.load.Round;
import io.nodeward.e2e.bench.load.Testbed;

/**
 * A burst while kubelets write the same Nodes: how often a controller has to try again. Of a quarter of the Machines,
 * as the upstream manager takes minutes for more of them. Both CPUs are full, so that the server may cut the watch of
 * the observer: that spoils times, not counts.
 */
final class HeartbeatsBurst extends Part {
    private static final int SHARE = 4;

    HeartbeatsBurst(Setup setup) {
        super("heartbeats-burst", setup);
    }

    @Override
    int measure(Contender contender, Running running, Figures figures) {
        Testbed bed = setup.bed();
        int count = Math.max(1, size() / SHARE);
        int value = bed.nextValue();
        try (Heartbeats heartbeats = Heartbeats.start(bed);
                Round round = Round.expectThroughCuts(bed.nodes(), value, count)) {
            long start = System.nanoTime();
            bed.declare(count, value, new long[count]);
            round.await(Setup.patience(count), running::check);
            int sent = heartbeats.sent();
            double seconds = (System.nanoTime() - start) / 1e9;
            if (round.isTimed()) {
                figures.seconds("last_node_s", round.last() - start);
            }
            figures.put("heartbeats", sent)
                    .put("heartbeats_per_s", sent / seconds)
                    .put("heartbeats_share", heartbeats.share(sent, seconds));
        }
        return count;
    }
}
