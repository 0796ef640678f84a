package io.nodeward.e2e.bench.scale;

import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A controller that starts beside a large converged fleet: what it holds, and what it takes to get there. */
public record CachedNodes(List<String> launcher, String name, Supplier<LargeFleet> fleet) implements Scenario {
    /** More than that in one cluster are refused by default. */
    private static final int PER_CLUSTER = 10_000;

    /**
     * One cluster on a real API server.
     *
     * @param launcher the command that starts the controller, without flags
     * @param machines each with its Node; at most as many
     */
    public static CachedNodes onRealServers(List<String> launcher, int nodes, int machines) {
        return new CachedNodes(launcher, "scale-" + nodes, () -> RealFleet.of(nodes, machines));
    }

    /**
     * On servers of this JVM, over plain HTTP. What a Node takes is the difference between such fleets with more Nodes
     * and the same Machines.
     *
     * @param launcher the command that starts the controller, without flags
     * @param nodes at most 10,000, or a multiple of that
     * @param machines each with its Node; at most as many
     */
    public static CachedNodes served(List<String> launcher, int nodes, int machines) {
        if (nodes > PER_CLUSTER && nodes % PER_CLUSTER != 0) {
            throw new IllegalArgumentException(nodes + " Nodes are no clusters of " + PER_CLUSTER);
        }
        int clusters = Math.ceilDiv(nodes, PER_CLUSTER);
        return new CachedNodes(launcher, "served-" + nodes,
                () -> ServedFleet.of(clusters, nodes / clusters, machines / clusters));
    }

    @Override
    public void run(int pairs, Consumer<Sample> samples) {
        try (LargeFleet large = fleet.get()) {
            for (int pair = 1; pair <= pairs; pair++) {
                for (String backend : StartedController.backends(pair)) {
                    samples.accept(new Sample(name(), "nodeward-" + backend, pair, figures(large, backend), Map.of()));
                }
            }
        }
    }

    private Map<String, Double> figures(LargeFleet fleet, String backend) {
        Map<String, Double> figures = new TreeMap<>();
        long start = System.nanoTime();
        try (StartedController controller = StartedController.start(launcher, backend, fleet.kubeconfig())) {
            controller.await("it to be ready", controller::isReady);
            figures.put("ready_s", (System.nanoTime() - start) / 1e9);
            controller.awaitAtRest(fleet);
            figures.put("first_list_s", (System.nanoTime() - start) / 1e9);
            figures.put("cpu_s", controller.cpuSeconds());
            figures.put("peak_rss_mib", controller.peakRssMib());
            figures.put("rss_mib", controller.rssMib());
            figures.put("live_heap_mib", controller.liveHeap());
            figures.put("writes", controller.writes());
        }
        return figures;
    }
}
