package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.runtime.time.Pacer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;

/** What the status of each group counts, as gauges, and what is counted of all groups together. */
final class PreviewMeters {
    private static final String NODES = "nodeward.dedicated.nodes";
    private static final String PODS = "nodeward.dedicated.pods";

    private final MeterRegistry registry;
    private final Map<String, Preview> previews = new ConcurrentHashMap<>();
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
        previews.put(group, preview);
        meters.computeIfAbsent(group, this::register);
    }

    void forget(String group) {
        previews.remove(group);
        List<Meter> gone = meters.remove(group);
        if (gone != null) {
            gone.forEach(registry::remove);
        }
        PodMeters.forget(registry, group);
    }

    private List<Meter> register(String group) {
        return List.of(
                gauge(NODES, group, "selected", preview -> preview.nodes().count()),
                gauge(NODES, group, "tainted", preview -> preview.tainted().count()),
                gauge(NODES, group, "to-taint", preview -> preview.wouldTaint().count()),
                gauge(PODS, group, "member", preview -> preview.members().count()),
                gauge(PODS, group, "without-toleration", preview -> preview.withoutToleration().count()),
                gauge(PODS, group, "cut-off", preview -> preview.cutOff().count()),
                gauge(PODS, group, "to-evict", preview -> preview.evicted().count()),
                gauge(PODS, group, "not-looked-into", preview -> preview.notLookedInto().count()));
    }

    private Meter gauge(String name, String group, String state, ToDoubleFunction<Preview> count) {
        return Gauge.builder(name, previews, all -> {
            Preview preview = all.get(group);
            return preview == null ? 0 : count.applyAsDouble(preview);
        }).tag("group", group).tag("state", state)
                .description(name.equals(NODES) ? "Nodes of a DedicatedNodes" : "Pods that a DedicatedNodes concerns")
                .register(registry);
    }
}
