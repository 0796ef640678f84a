package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Which part of an object a change is of, with the words in which it is counted, logged and reported. All but the whole are
 * parts of what others make: if that object is gone, there is nothing left to write.
 */
public enum Part {
    NODE("nodeward.node.writes", "Changes of Nodes", "propagated", "", ""),
    DECLARED_TAINTS("nodeward.declared.taints.writes", "Writes of taints declared for others", "propagated",
            "TaintsRejected", "the write was"),
    ANNOTATIONS("nodeward.annotation.writes", "Writes of annotations of owners of Nodes", "advertised",
            "CapacityRefused",
            "annotations were"),
    WHOLE("nodeward.object.writes", "Changes of objects of other kinds", "", "", "");

    private final String meter;
    private final String counted;
    /** What has been done once it is made; empty if the verb says it. */
    final String done;
    /** Of the Event and the condition when the API server refuses it; empty for the kind and "Rejected". */
    final String reason;
    /** The beginning of a sentence that ends with "refused" and why; empty for the kind and the object. */
    final String refused;

    Part(String meter, String counted, String done, String reason, String refused) {
        this.meter = meter;
        this.counted = counted;
        this.done = done;
        this.reason = reason;
        this.refused = refused;
    }

    /** @param result what became of the changes that it counts */
    public Counter counter(MeterRegistry registry, String result) {
        return Counter.builder(meter).tag("result", result).description(counted + " by what became of them")
                .register(registry);
    }
}
