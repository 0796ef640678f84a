package io.nodeward.e2e.bench.load;

import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The client to compare with: it knows everything already and only writes, with the merge patch a controller has to
 * send and as many at a time as the server takes best. It holds a watch of the Nodes, as a controller does.
 */
public final class IdealClient implements AutoCloseable {
    /** Patches until the JIT compiler has nothing more to do. */
    private static final int WARM = 6_000;

    private static final List<Integer> AT_ONCE = List.of(16, 32, 64);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Testbed bed;
    private final ApiServer server;
    private final Map<Integer, Integer> bestAtOnce = new TreeMap<>();
    private int written;

    public IdealClient(Testbed bed) {
        this.bed = bed;
        this.server = bed.connectIdeal();
    }

    /** Writes the value to the first {@code count} Nodes, and returns when the last is acknowledged. */
    public void write(int count, int value) {
        write(count, value, bestAtOnce.getOrDefault(count, AT_ONCE.get(1)));
    }

    /** Writes the value to one Node, and returns when that is acknowledged. */
    public void writeOne(int index, int value) {
        bed.fleet().writeNode(server, index, value);
    }

    /** The watch of all Nodes that it holds while it writes; opening it is no part of that. */
    public Observer watch() {
        return bed.watchAsIdeal();
    }

    private void write(int count, int value, int atOnce) {
        Workers.run(count, atOnce, i -> writeOne(i, value));
        written += count;
    }

    /** Makes itself warm and finds out how many at a time go fastest; done once for each count. */
    public void prepare(int count, boolean quick) {
        if (bestAtOnce.containsKey(count)) {
            return;
        }
        try (Observer own = watch()) {
            while (written < (quick ? count : WARM)) {
                write(count, bed.nextValue());
            }
            findBest(count, quick);
        }
    }

    private void findBest(int count, boolean quick) {
        double best = 0;
        for (int atOnce : quick ? AT_ONCE.subList(1, 2) : AT_ONCE) {
            double rate = Math.max(rate(count, atOnce), rate(count, atOnce));
            bed.say("ideal client, %d Nodes, %d at once: %.0f /s".formatted(count, atOnce, rate));
            if (rate > best) {
                best = rate;
                bestAtOnce.put(count, atOnce);
            }
        }
    }

    private double rate(int count, int atOnce) {
        int value = bed.nextValue();
        try (Round round = Round.expect(bed.nodes(), value, count)) {
            write(count, value, atOnce);
            round.await(PATIENCE, () -> {});
            long[] seen = round.inOrder();
            return (count - 1) / ((seen[count - 1] - seen[0]) / 1e9);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
