package io.nodeward.e2e.bench.load;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The client to compare with: it knows everything already and only writes, with the merge patch a controller has to
 * send and as many at a time as the server takes best. Its watch of the Nodes is the {@link Observer}'s.
 */
public final class IdealClient {
    /** Patches until the JIT compiler has nothing more to do. */
    private static final int WARM = 6_000;

    private static final List<Integer> AT_ONCE = List.of(16, 32, 64, 96);

    private final Testbed bed;
    private final Map<Integer, Integer> bestAtOnce = new TreeMap<>();
    private int written;

    public IdealClient(Testbed bed) {
        this.bed = bed;
    }

    /** Writes the value to the first {@code count} Nodes, and returns when the last is acknowledged. */
    public void write(int count, int value) {
        write(count, value, bestAtOnce.getOrDefault(count, AT_ONCE.get(1)));
    }

    private void write(int count, int value, int atOnce) {
        Workers.run(count, atOnce, i -> bed.fleet().writeNode(i, value));
        written += count;
    }

    /** Makes itself warm and finds out how many at a time go fastest; done once for each count. */
    public void prepare(int count, boolean quick) {
        if (bestAtOnce.containsKey(count)) {
            return;
        }
        while (written < (quick ? count : WARM)) {
            write(count, bed.nextValue());
        }
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

    /** How many at a time it has found best, by count. */
    public Map<Integer, Integer> atOnce() {
        return Map.copyOf(bestAtOnce);
    }

    private double rate(int count, int atOnce) {
        long start = System.nanoTime();
        write(count, bed.nextValue(), atOnce);
        return count / ((System.nanoTime() - start) / 1e9);
    }
}
