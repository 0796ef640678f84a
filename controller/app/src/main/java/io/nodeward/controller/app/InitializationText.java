package io.nodeward.controller.app;

import io.nodeward.core.rules.taint.Initialization;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Initialization} as Kubernetes writes such words: {@code whenUninitialized}. */
final class InitializationText implements ITypeConverter<Initialization> {
    static final String DEFAULT = "whenUntracked";

    /** What can be chosen. */
    private static final Map<String, Initialization> VALUES = new TreeMap<>(Map.of(
            DEFAULT, Initialization.WHEN_UNTRACKED,
            "whenUninitialized", Initialization.WHEN_UNINITIALIZED));

    @Override
    public Initialization convert(String text) {
        Initialization value = VALUES.get(text);
        if (value == null) {
            throw new TypeConversionException("'" + text + "' is none of " + VALUES.keySet());
        }
        return value;
    }
}
