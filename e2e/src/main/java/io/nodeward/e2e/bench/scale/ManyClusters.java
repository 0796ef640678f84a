package io.nodeward.e2e.bench.scale;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.e2e.bench.Sample;
import io.nodeward.e2e.bench.Scenario;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** One change of each Machine of many clusters, as fast as their management cluster takes it. */
public record ManyClusters(List<String> launcher, int clusters, int nodesPerCluster) implements Scenario {
    @Override
    public String name() {
        return "clusters-" + clusters;
    }

    @Override
    public void run(int pairs, Consumer<Sample> samples) {
        try (ServedFleet fleet = ServedFleet.of(clusters, nodesPerCluster)) {
            Arrivals arrivals = new Arrivals(fleet);
            for (int pair = 1; pair <= pairs; pair++) {
                for (String backend : StartedController.backends(pair)) {
                    String value = backend + "-" + pair;
                    Map<String, Double> figures = figures(fleet, arrivals, backend, value);
                    samples.accept(new Sample(name(), "nodeward-" + backend, pair, figures, Map.of()));
                }
            }
        }
    }

    private Map<String, Double> figures(ServedFleet fleet, Arrivals arrivals, String backend, String value) {
        Map<String, Double> figures = new TreeMap<>();
        try (StartedController controller = StartedController.start(launcher, backend, fleet.kubeconfig())) {
            controller.awaitAtRest(fleet);
            double cpu = controller.cpuSeconds();
            fleet.clearRequests();
            arrivals.clear();
            long start = System.nanoTime();
            change(fleet, value);
            figures.put("triggers_s", (System.nanoTime() - start) / 1e9);
            controller.await("every Node to be changed", () -> arrivals.count() >= fleet.nodes());
            figures.put("last_node_s", (arrivals.last() - start) / 1e9);
            figures.put("cpu_s", controller.cpuSeconds() - cpu);
            figures.put("rss_mib", controller.rssMib());
            figures.put("peak_rss_mib", controller.peakRssMib());
            figures.put("patches_per_node", (double) fleet.writes() / fleet.nodes());
        }
        requireChanged(fleet, value);
        return figures;
    }

    // Cluster by cluster in turn, so that all of them have work at the same time.
    private void change(ServedFleet fleet, String value) {
        JsonNode change = FleetObjects.change(value);
        IntStream.range(0, fleet.nodes()).forEach(i -> fleet.management().mergePatch("machines",
                FleetObjects.NAMESPACE, FleetObjects.name(i % clusters, i / clusters), change));
    }

    private void requireChanged(ServedFleet fleet, String value) {
        for (int cluster = 0; cluster < clusters; cluster++) {
            for (JsonNode node : fleet.workloads().get(cluster).list("nodes")) {
                if (!node.at("/spec/taints/0/value").asText().equals(value)) {
                    throw new IllegalStateException("not " + value + ": " + node.at("/spec/taints"));
                }
            }
        }
    }

    /** When Nodes were changed. */
    private static final class Arrivals {
        private final Set<String> changed = ConcurrentHashMap.newKeySet();
        private final AtomicLong last = new AtomicLong();

        Arrivals(ServedFleet fleet) {
            fleet.workloads().forEach(server -> server.listen(this::see));
        }

        private void see(Request request) {
            if (request.method().equals("PATCH") && request.code() == 200 && changed.add(request.path())) {
                last.accumulateAndGet(System.nanoTime(), Math::max);
            }
        }

        void clear() {
            changed.clear();
            last.set(Long.MIN_VALUE);
        }

        int count() {
            return changed.size();
        }

        long last() {
            return last.get();
        }
    }
}
