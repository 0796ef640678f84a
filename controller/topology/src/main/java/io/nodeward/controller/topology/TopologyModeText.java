package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.TopologyMode;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link TopologyMode} as flags have such words: {@code complete}. */
final class TopologyModeText implements ITypeConverter<TopologyMode> {
    static final String DEFAULT = "full";

    /** What can be chosen. */
    private static final Map<String, TopologyMode> VALUES =
            new TreeMap<>(Map.of(DEFAULT, TopologyMode.FULL, "complete", TopologyMode.COMPLETE));

    @Override
    public TopologyMode convert(String text) {
        TopologyMode mode = VALUES.get(text);
        if (mode == null) {
            throw new TypeConversionException("'" + text + "' is none of " + VALUES.keySet());
        }
        return mode;
    }
}
