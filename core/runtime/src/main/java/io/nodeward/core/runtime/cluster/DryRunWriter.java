package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.core.runtime.controller.AnnotationUpdate;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.NodeWrite;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectUpdate;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.TaintListUpdate;

/** Sends nothing, and counts what would have been written. */
public final class DryRunWriter implements ObjectWriter {
    private final Counter nodes;
    private final Counter taintLists;
    private final Counter annotations;
    private final Counter objects;

    public DryRunWriter(MeterRegistry registry) {
        this.nodes = WriteMeters.ofNodes(registry).dryRuns;
        this.taintLists = WriteMeters.ofTaintLists(registry).dryRuns;
        this.annotations = WriteMeters.ofAnnotations(registry).dryRuns;
        this.objects = WriteMeters.ofObjects(registry).dryRuns;
    }

    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        switch (change) {
            case NodeWrite write -> nodes.increment();
            case TaintListUpdate update -> taintLists.increment();
            case AnnotationUpdate update -> annotations.increment();
            case ObjectUpdate update -> objects.increment();
        }
        return new Applied.DryRun();
    }
}
