package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.SelectorFeatures;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Compilers of expressions, of which a process needs one for each combination of feature gates. */
final class Expressions {
    private static final Map<SelectorFeatures, Expressions> KNOWN = new ConcurrentHashMap<>();

    private final DeviceSelectors selectors;

    private Expressions(SelectorFeatures features) {
        this.selectors = new DeviceSelectors(features);
    }

    /** With the feature gates of a case. */
    static Expressions of(JsonNode c) {
        return KNOWN.computeIfAbsent(new SelectorFeatures(
                !Fields.isTrue(c, "consumableCapacityGateOff"), Fields.isTrue(c, "listTypeAttributesGate")),
                Expressions::new);
    }

    DeviceVariable variable(DeviceFacts device) {
        return selectors.variable(device);
    }

    Compilation compile(String expression) {
        return selectors.compile(expression);
    }
}
