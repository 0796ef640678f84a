package io.nodeward.e2e.bench.scale;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A controller that starts beside a large converged fleet: what it holds, and what it takes to get there. */
public final class CachedNodes implements Scenario {
    /** More than that in one cluster are refused by default. */
    private static final int PER_CLUSTER = 10_000;

    private final int nodes;
    private final int machines;

    /**
     * What a Node takes is the difference between fleets with more Nodes and the same Machines.
     *
     * @param nodes at most 10,000, or a multiple of that
     * @param machines each with its Node; at most as many
     */
    public CachedNodes(int nodes, int machines) {
        if (nodes > PER_CLUSTER && nodes % PER_CLUSTER != 0) {
            throw new IllegalArgumentException(nodes + " Nodes are no clusters of " + PER_CLUSTER);
        }
        this.nodes = nodes;
        this.machines = machines;
    }

    @Override
    public String name() {
        return "scale-" + nodes;
    }

    @Override
    public void run(int pairs, Consumer<Sample> samples) {
        try (ServedFleet fleet = fleet()) {
            for (int pair = 1; pair <= pairs; pair++) {
                for (String backend : StartedController.backends(pair)) {
                    samples.accept(new Sample(name(), "nodeward-" + backend, pair, figures(fleet, backend), Map.of()));
                }
            }
        }
    }

    private ServedFleet fleet() {
        int clusters = Math.ceilDiv(nodes, PER_CLUSTER);
        return ServedFleet.of(clusters, nodes / clusters, machines / clusters);
    }

    private static Map<String, Double> figures(ServedFleet fleet, String backend) {
        fleet.clearRequests();
        Map<String, Double> figures = new TreeMap<>();
        long start = System.nanoTime();
        try (StartedController controller = StartedController.start(backend, fleet.kubeconfig())) {
            controller.awaitAtRest(fleet);
            figures.put("first_list_s", (System.nanoTime() - start) / 1e9);
            figures.put("cpu_s", controller.cpuSeconds());
            figures.put("peak_rss_mib", controller.memory().peak());
            figures.put("rss_mib", controller.memory().resident());
            figures.put("live_heap_mib", controller.liveHeap());
            figures.put("writes", (double) fleet.writes());
        }
        return figures;
    }
}
