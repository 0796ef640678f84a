package io.nodeward.cli;

import io.nodeward.core.cel.SelectorFeatures;
import picocli.CommandLine.Option;

/** The controller's flags that change what rules of devices may say. */
final class DeviceFeatures {
    @Option(names = "--devices-list-attributes", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "As the"
            + " controller is started with: attributes of devices may be lists, and expressions may use includes")
    boolean listAttributes;

    SelectorFeatures features() {
        return SelectorFeatures.withListAttributes(listAttributes);
    }
}
