package io.nodeward.e2e.clusters;

import java.time.Duration;
import java.util.ArrayList;
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

    /** A time by the JVM's clock, and how many came in it. */
    record Window(long from, long to, int count) {}

    void add(String method, String path) {
        add(new Arrival(method, path, System.nanoTime()));
    }

    void add(Arrival arrival) {
        all.add(arrival);
    }

    int count() {
        return all.size();
    }

    /** For each that came: how many came in the time of this length that ends with it. */
    List<Window> windows(Duration length, Predicate<Arrival> which) {
        List<Long> nanos = all.stream().filter(which).map(Arrival::nanos).sorted().toList();
        List<Window> windows = new ArrayList<>();
        for (int from = 0, to = 0; to < nanos.size(); to++) {
            long begin = nanos.get(to) - length.toNanos();
            while (nanos.get(from) < begin) {
                from++;
            }
            windows.add(new Window(begin, nanos.get(to), to - from + 1));
        }
        return windows;
    }
}
