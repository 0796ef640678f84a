package io.nodeward.e2e.bench.report;

import io.nodeward.e2e.bench.report.Goal.Bound;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What Nodeward is to reach, with either backend: ratios between runs beside each other, or counts. */
final class Goals {
    private static final List<String> BACKENDS = List.of("fabric8", "official");
    private static final String RAISED = "upstream-raised";
    private static final double NODES_BETWEEN = 40_000;
    private static final double BYTES_PER_MIB = 1024 * 1024;
    /** 1.2 KB. */
    private static final double HEAP_PER_NODE = 1200;

    private final List<Goal> goals = new ArrayList<>();

    private Goals() {}

    /** All of them, those of one text beside each other. */
    static List<Goal> all() {
        Goals goals = new Goals();
        goals.counts();
        goals.throughput();
        goals.latency();
        goals.cost();
        return List.copyOf(goals.goals);
    }

    private void counts() {
        each("Node patches per changed Node: 1", Bound.ALWAYS_EXACTLY, 1,
                figures("patches_per_node", "drain-2000", "burst-500", "burst-2000", "single"));
        each("Node patches per changed Node with heartbeats every 10 s: at most 1.02", Bound.ALWAYS_AT_MOST, 1.02,
                figures("patches_per_node", "heartbeats-burst"));
        each("and so many heartbeats come: at least 95 % of 200 a second", Bound.AT_LEAST, 0.95,
                figures("heartbeats_share", "heartbeats-burst"));
        each("Other requests (reads before the first write left out): 0", Bound.ALWAYS_EXACTLY, 0,
                figures("other_requests", "drain-2000", "burst-500", "burst-2000", "single"));
        each("Takeover by a standby, 2,000 Nodes, rate: at least 0.75 of the ideal client's drain", Bound.AT_LEAST,
                0.75,
                nodeward -> List.of(Measure.figure("takeover-2000", nodeward, "nodes_per_s")
                        .per(Measure.figure("drain-2000", "ideal", "nodes_per_s"))));
        each("One edit of a pool of 2,000 Nodes: one patch each", Bound.ALWAYS_EXACTLY, 1,
                figures("patches_per_node", "pool-2000"));
        each("One edit of a pool of 2,000 Nodes, other requests: 0", Bound.ALWAYS_EXACTLY, 0,
                figures("other_requests", "pool-2000"));
        each("Idle, 15 s: 0 writes, no list", Bound.ALWAYS_EXACTLY, 0, nodeward -> Stream.of("writes", "lists")
                .map(figure -> Measure.figure("idle", nodeward, figure)).toList());
    }

    private static Function<String, List<Measure>> figures(String figure, String... scenarios) {
        return nodeward -> Stream.of(scenarios)
                .map(scenario -> Measure.figure(scenario, nodeward, figure)).toList();
    }

    private void throughput() {
        each("Drain of 2,000, rate from first to last Node: at least 0.85 of the ideal client", Bound.AT_LEAST, 0.85,
                to("drain-2000", "nodes_per_s", "ideal"));
        each("Drain of 2,000, the same: at least 5x upstream raised", Bound.AT_LEAST, 5,
                to("drain-2000", "nodes_per_s", RAISED));
        each("Burst of 500 with triggers, rate: at least 2.5x upstream raised", Bound.AT_LEAST, 2.5,
                to("burst-500", "nodes_per_s", RAISED));
        each("Burst of 2,000 with triggers, rate: at least 3.5x upstream raised", Bound.AT_LEAST, 3.5,
                to("burst-2000", "nodes_per_s", RAISED));
        each("One edit of a pool of 2,000 Nodes, rate: at least 0.85 of the ideal client", Bound.AT_LEAST, 0.85,
                to("pool-2000", "nodes_per_s", "ideal"));
        each("Bursts of 500 and 2,000, last Node: at most 1.3x of triggers alone plus patches alone", Bound.AT_MOST,
                1.3,
                nodeward -> Stream.of("burst-500", "burst-2000").map(s -> toBothAlone(s, nodeward)).toList());
    }

    private static Function<String, List<Measure>> to(String scenario, String figure, String other) {
        return nodeward -> List.of(ratio(scenario, figure, nodeward, other));
    }

    private static Measure ratio(String scenario, String figure, String nodeward, String other) {
        return Measure.figure(scenario, nodeward, figure).per(Measure.figure(scenario, other, figure));
    }

    private static Measure toBothAlone(String scenario, String nodeward) {
        return Measure.figure(scenario, nodeward, "last_node_s")
                .per(Measure.figure(scenario, "triggers-alone", "triggers_s")
                        .plus(Measure.figure(scenario, "patches-alone", "last_node_s")));
    }

    private void latency() {
        each("Single change at idle, p50: at most 1.3x of the two hops by one client", Bound.AT_MOST, 1.3,
                to("single", "p50_ms", "ideal"));
        each("Single change at idle, p99: at most 2x of the two hops by one client", Bound.AT_MOST, 2,
                to("single", "p99_ms", "ideal"));
        each("Same Machine changed again at once, p50: no added wait (at most 1.3x of two hops)", Bound.AT_MOST, 1.3,
                to("same-machine", "p50_ms", "ideal"));
    }

    private void cost() {
        each("CPU per changed Node, warm: at most 1/5 of upstream raised", Bound.AT_MOST, 0.2, nodeward -> Stream
                .of("burst-500", "burst-2000").map(s -> ratio(s, "cpu_ms_per_node", nodeward, RAISED)).toList());
        each("CPU per changed Node, warm: at most 1/5 of upstream as shipped", Bound.AT_MOST, 0.2, nodeward -> Stream
                .of("burst-500", "single").map(s -> ratio(s, "cpu_ms_per_node", nodeward, "upstream")).toList());
        each("CPU per irrelevant heartbeat, warm: at most 1/10 of upstream", Bound.AT_MOST, 0.1,
                to("heartbeats", "cpu_ms_per_heartbeat", "upstream"));
        goals.add(new Goal("Projection of a 15 KB Node: at least 150 MB/s per core", "both",
                List.of(Measure.figure("micro", "nodeward", "projection_mb_per_s")), Bound.AT_LEAST, 150));
        each("Live heap per cached Node: at most 1,200 bytes", Bound.AT_MOST, HEAP_PER_NODE,
                nodeward -> List.of(Measure.figure("served-50000", nodeward, "live_heap_mib").slope(
                        Measure.figure("served-10000", nodeward, "live_heap_mib"), BYTES_PER_MIB, NODES_BETWEEN)));
        each("Peak RSS with 10,000 Nodes and 10,000 Machines: at most 192 MiB", Bound.ALWAYS_AT_MOST, 192,
                figures("peak_rss_mib", "scale-10000"));
        each("Restart converged, 2,000 Nodes: 0 writes", Bound.ALWAYS_EXACTLY, 0, figures("writes", "restart"));
        each("Restart, CPU until the first repaired Node: at most 1.5 s", Bound.AT_MOST, 1.5,
                figures("cpu_s", "restart"));
    }

    /** @param measures of a contender */
    private void each(String text, Bound bound, double limit, Function<String, List<Measure>> measures) {
        for (String backend : BACKENDS) {
            goals.add(new Goal(text, backend, measures.apply("nodeward-" + backend), bound, limit));
        }
    }
}
