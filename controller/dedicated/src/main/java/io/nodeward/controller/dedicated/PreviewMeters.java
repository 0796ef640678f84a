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
    }

    private List<Meter> register(String group) {
        return List.of(
                nodes(group, "selected", preview -> preview.nodes().count()),
                nodes(group, "tainted", preview -> preview.tainted().count()),
                nodes(group, "to-taint", preview -> preview.wouldTaint().count()),
                pods(group, "member", preview -> preview.members().count()),
                pods(group, "without-toleration", preview -> preview.withoutToleration().count()),
                pods(group, "cut-off", preview -> preview.cutOff().count()),
                pods(group, "to-evict", preview -> preview.evicted().count()),
                pods(group, "not-looked-into", preview -> preview.notLookedInto().count()));
    }

    private Meter nodes(String group, String state, ToDoubleFunction<Preview> count) {
        return gauge("nodeward.dedicated.nodes", "Nodes of a DedicatedNodes", group, state, count);
    }

    private Meter pods(String group, String state, ToDoubleFunction<Preview> count) {
        return gauge("nodeward.dedicated.pods", "Pods that a DedicatedNodes concerns", group, state, count);
    }

    private Meter gauge(String name, String description, String group, String state, ToDoubleFunction<Preview> count) {
        return Gauge.builder(name, previews, all -> {
            Preview preview = all.get(group);
            return preview == null ? 0 : count.applyAsDouble(preview);
        }).tag("group", group).tag("state", state).description(description).register(registry);
    }
}
