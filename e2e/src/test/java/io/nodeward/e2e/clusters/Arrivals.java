package io.nodeward.e2e.clusters;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;

/** When which requests came to a server. */
final class Arrivals {
    private final Queue<Arrival> all = new ConcurrentLinkedQueue<>();

    /** @param nanos of the JVM's clock */
    record Arrival(String method, String path, long nanos) {
        /** One that the read budget counts. */
        boolean isRead() {
            return method.equals("GET") && !path.equals("/version");
        }
    }

    void add(String method, String path) {
        all.add(new Arrival(method, path, System.nanoTime()));
    }

    int count() {
        return all.size();
    }

    /** The most that came in any time of this length, in which this JVM was at work. */
    int mostWithin(Duration time, Predicate<Arrival> which) {
        List<Long> nanos = all.stream().filter(which).map(Arrival::nanos).sorted().toList();
        int most = 0;
        for (int from = 0, to = 0; to < nanos.size(); to++) {
            while (nanos.get(to) - nanos.get(from) > time.toNanos()) {
                from++;
            }
            most = Math.max(most, to - from + 1);
        }
        return most;
    }
}
