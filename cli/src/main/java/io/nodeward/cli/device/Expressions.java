package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.Evaluation;
import io.nodeward.core.cel.Selection;
import io.nodeward.core.cel.SelectorFeatures;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Expressions of selectors, each compiled once, in a cluster whose feature gates nobody touched. */
final class Expressions {
    /** How often an expression may cost all that one evaluation may: up to a second each time. */
    private static final double MOST = 10;
    private static final DeviceMatch TOO_EXPENSIVE = new DeviceMatch.Unknown(
            "it costs too much to be asked of so many devices; --node and --driver ask of fewer");

    private final Map<String, Compilation> compiled = new HashMap<>();
    private final Map<String, Double> spent = new HashMap<>();

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
            case Compilation.Compiled(var selector) when spent.getOrDefault(expression, 0.0) >= MOST -> TOO_EXPENSIVE;
            case Compilation.Compiled(var selector) -> {
                Evaluation evaluation = selector.evaluate(device);
                spent.merge(expression, evaluation.cost(), Double::sum);
                yield match(evaluation.selection());
            }
        };
    }

    private static DeviceMatch match(Selection selection) {
        return switch (selection) {
            case Selection.Selected() -> DeviceMatch.YES;
            case Selection.NotSelected() -> DeviceMatch.NO;
            case Selection.EvaluationError(String message) -> new DeviceMatch.Unknown(message);
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
