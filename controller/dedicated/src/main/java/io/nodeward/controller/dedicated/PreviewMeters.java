package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.runtime.time.Pacer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What the status of each group counts, as gauges, and what is counted of all groups together. */
final class PreviewMeters {
    private static final String NODES = "nodeward.dedicated.nodes";
    private static final String PODS = "nodeward.dedicated.pods";

    private final MeterRegistry registry;
    private final Map<String, Map<String, Integer>> counts = new ConcurrentHashMap<>();
    private final Map<String, List<Meter>> meters = new ConcurrentHashMap<>();

    PreviewMeters(MeterRegistry registry, Pacer<?> pacer, DedicatedCaches caches) {
        this.registry = registry;
        Gauge.builder("nodeward.dedicated.noexecute.waiting", pacer, Pacer::waiting)
                .description("Nodes that wait for their turn to get the effect NoExecute").register(registry);
        Gauge.builder("nodeward.dedicated.managed.nodes", caches, DedicatedCaches::managedNodes)
                .description("Nodes with a taint or label that is there because of a DedicatedNodes")
                .register(registry);
    }

    /** Has the gauges of the group show this from now on. */
    void show(String group, Preview preview) {
        counts.put(group, counts(preview));
        meters.computeIfAbsent(group, this::register);
    }

    void forget(String group) {
        counts.remove(group);
        List<Meter> gone = meters.remove(group);
        if (gone != null) {
            gone.forEach(registry::remove);
        }
        PodMeters.forget(registry, group);
    }

    private static Map<String, Integer> counts(Preview preview) {
        return Map.of("selected", preview.nodes().count(), "tainted", preview.tainted().count(),
                "to-taint", preview.wouldTaint().count(), "member", preview.members().count(),
                "without-toleration", preview.withoutToleration().count(), "cut-off", preview.cutOff().count(),
                "to-evict", preview.evicted().count(), "not-looked-into", preview.notLookedInto().count());
    }

    private List<Meter> register(String group) {
        return Stream.concat(Stream.of("selected", "tainted", "to-taint").map(state -> gauge(NODES, group, state)),
                Stream.of("member", "without-toleration", "cut-off", "to-evict", "not-looked-into")
                        .map(state -> gauge(PODS, group, state)))
                .toList();
    }

    private Meter gauge(String name, String group, String state) {
        return Gauge.builder(name, counts, all -> all.getOrDefault(group, Map.of()).getOrDefault(state, 0))
                .tag("group", group).tag("state", state)
                .description(name.equals(NODES) ? "Nodes of a DedicatedNodes" : "Pods that a DedicatedNodes concerns")
                .register(registry);
    }
}
