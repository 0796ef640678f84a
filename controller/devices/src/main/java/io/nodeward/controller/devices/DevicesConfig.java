package io.nodeward.controller.devices;

import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.runtime.time.Pacer;
import picocli.CommandLine.Option;

/** Flags of the devices controller. */
public final class DevicesConfig {
    private static final int OVERALL_BURST = 50;

    @Option(names = "--devices-list-attributes", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "The cluster has its feature gate DRAListTypeAttributes on: attributes of devices may be"
            + " lists, and expressions may use includes")
    boolean listAttributes;

    @Option(names = "--devices-server-rules", defaultValue = "256", paramLabel = "N", description = "How many DeviceTaintRules of"
            + " resource.k8s.io may stand for rules of Nodeward, in all; Kubernetes compares each claim with each of them"
            + " whenever one changes")
    int serverRules;

    @Option(names = "--devices-evict-unenforced", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Evict pods"
            + " for the effect NoExecute even where no DeviceTaintRules of resource.k8s.io keep the scheduler from giving the"
            + " device to the next pod")
    boolean evictUnenforced;

    @Option(names = "--devices-evictions-per-second", defaultValue = "100", paramLabel = "N", description = "How many pods all rules"
            + " and taint slices together evict per second at most, after the first 50, besides the evictionsPerSecond of each"
            + " (default: ${DEFAULT-VALUE})")
    int evictionsPerSecond = 100;

    /** Returns the pace of all evictions together. */
    Pacer.Limit overallLimit() {
        if (evictionsPerSecond < 1) {
            throw new IllegalArgumentException(
                    "--devices-evictions-per-second: must be 1 or more, and is " + evictionsPerSecond);
        }
        return new Pacer.Limit("all", evictionsPerSecond, OVERALL_BURST, true);
    }

    int serverRules() {
        if (serverRules < 0) {
            throw new IllegalArgumentException("--devices-server-rules: must be 0 or more, and is " + serverRules);
        }
        return serverRules;
    }

    /** Returns whether attributes may be lists; the validation of rules compiles their expressions, too. */
    public boolean listAttributes() {
        return listAttributes;
    }

    SelectorFeatures features() {
        return SelectorFeatures.withListAttributes(listAttributes);
    }
}
