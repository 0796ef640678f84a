package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/**
 * Which part of an object a change is of: so it is counted, logged and reported. All but the whole are parts of what others
 * make: if that object is gone, there is nothing left to write.
 */
public enum Part {
    NODE("nodeward.node.writes", "Changes of Nodes"),
    DECLARED_TAINTS("nodeward.declared.taints.writes", "Writes of taints declared for others"),
    ANNOTATIONS("nodeward.annotation.writes", "Writes of annotations of owners of Nodes"),
    WHOLE("nodeward.object.writes", "Changes of objects of other kinds");

    private final String meter;
    private final String counted;

    Part(String meter, String counted) {
        this.meter = meter;
        this.counted = counted;
    }

    /** @param result what became of the changes that it counts */
    public Counter counter(MeterRegistry registry, String result) {
        return Counter.builder(meter).tag("result", result).description(counted + " by what became of them")
                .register(registry);
    }
}
