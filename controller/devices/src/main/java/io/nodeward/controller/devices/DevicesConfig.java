package io.nodeward.controller.devices;

import io.nodeward.core.cel.SelectorFeatures;
import picocli.CommandLine.Option;

/** Flags of the devices controller. */
public final class DevicesConfig {
    @Option(names = "--devices-list-attributes", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "The cluster has its feature gate DRAListTypeAttributes on: attributes of devices may be"
            + " lists, and expressions may use includes")
    boolean listAttributes;

    /** For who else compiles expressions of rules. */
    public boolean listAttributes() {
        return listAttributes;
    }

    SelectorFeatures features() {
        return SelectorFeatures.withListAttributes(listAttributes);
    }
}
