package io.nodeward.controller.app;

import io.nodeward.core.rules.taint.Initialization;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Initialization} as Kubernetes writes such words: {@code whenUninitialized}. */
final class InitializationText implements ITypeConverter<Initialization> {
    static final String DEFAULT = "whenUntracked";

    @Override
    public Initialization convert(String text) {
        return Arrays.stream(Initialization.values()).filter(value -> text(value).equals(text)).findFirst()
                .orElseThrow(() -> new TypeConversionException("'" + text + "' is none of " + texts()));
    }

    private static List<String> texts() {
        return Arrays.stream(Initialization.values()).map(InitializationText::text).toList();
    }

    private static String text(Initialization value) {
        return switch (value) {
            case WHEN_UNTRACKED -> DEFAULT;
            case WHEN_UNINITIALIZED -> "whenUninitialized";
        };
    }
}
