package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.Selection;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Expressions of selectors, each compiled once, in a cluster whose feature gates nobody touched. */
final class Expressions {
    private final Map<String, Compilation> compiled = new HashMap<>();

    /** Which takes its time to be made, and is made if there is an expression. */
    private static final class Compiler {
        static final DeviceSelectors SELECTORS = new DeviceSelectors(SelectorFeatures.DEFAULT);
    }

    DeviceVariable variable(DeviceFacts device) {
        return Compiler.SELECTORS.variable(device);
    }

    /** Whether it holds for the device. */
    DeviceMatch match(String expression, DeviceVariable device) {
        return switch (compile(expression)) {
            case Compilation.CompileError error -> new DeviceMatch.Unknown(error.toString());
            case Compilation.Compiled(var selector) -> switch (selector.select(device)) {
                case Selection.Selected() -> DeviceMatch.YES;
                case Selection.NotSelected() -> DeviceMatch.NO;
                case Selection.EvaluationError(String message) -> new DeviceMatch.Unknown(message);
            };
        };
    }

    /** What is wrong with it, if it can be asked of no device. */
    Optional<String> compileError(String expression) {
        return compile(expression) instanceof Compilation.CompileError error
                ? Optional.of(error.toString())
                : Optional.empty();
    }

    private Compilation compile(String expression) {
        return compiled.computeIfAbsent(expression, Compiler.SELECTORS::compile);
    }
}
