package io.nodeward.e2e.bench.report;

import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Which figures a table shows, in which order, and which way they are better. */
final class Shown {
    private static final List<String> ORDER = List.of(
            "nodes_per_s", "last_node_s", "first_node_s", "between_s", "settled_s", "triggers_s", "first_repair_s",
            "ready_s", "first_list_s", "p50_ms", "p90_ms", "p99_ms", "max_ms", "latency_p50_ms", "latency_p90_ms",
            "latency_p99_ms", "latency_max_ms", "patches_per_node", "other_requests", "conflicts", "writes", "lists",
            "requests", "cpu_ms_per_node", "cold_cpu_ms_per_node", "cpu_ms_per_heartbeat", "cpu_s",
            "apiserver_cpu_s", "peak_rss_mib", "rss_mib", "live_heap_mib");
    /** Said by another figure, or of no contender: they are in the results file only. */
    private static final Set<String> UNSHOWN = Set.of("between_s", "latency_p90_ms", "etcd_cpu_s", "bench_cpu_s");
    private static final Set<String> MORE_IS_BETTER = Set.of("nodes_per_s", "projection_mb_per_s", "final_right");
    /** How much there is to do, and what others take for it, is not for the controller to choose. */
    private static final Set<String> NO_RACE =
            Set.of("triggers_s", "heartbeats", "heartbeats_per_s", "heartbeats_share",
                    "changes", "patches", "fleet");

    private Shown() {}

    static List<String> figures(Samples samples, String scenario) {
        return samples.figures(scenario).stream().filter(figure -> !UNSHOWN.contains(figure))
                .sorted(Comparator.comparingInt(Shown::place).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static int place(String figure) {
        int place = ORDER.indexOf(figure);
        return place < 0 ? ORDER.size() : place;
    }

    static boolean isRace(String figure) {
        return !NO_RACE.contains(figure);
    }

    static boolean moreIsBetter(String figure) {
        return MORE_IS_BETTER.contains(figure);
    }
}
