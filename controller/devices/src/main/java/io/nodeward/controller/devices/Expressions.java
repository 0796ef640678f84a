package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation;
import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import io.nodeward.core.cel.DeviceSelector;
import io.nodeward.core.cel.DeviceSelectors;
import io.nodeward.core.cel.DeviceVariable;
import io.nodeward.core.cel.Evaluation;
import io.nodeward.core.cel.Selection;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What expressions say of devices. Each is compiled once. One that costs much is asked of few devices: then it has an answer
 * for none, so that it does not hold up the rules that do not ask it. Not safe for several threads.
 */
final class Expressions {
    /** So much text of expressions is kept; what is compiled of it takes 50 times as much memory. */
    private static final int MOST_TEXT = 1 << 20;
    /**
     * What an evaluation may cost, as a share of what Kubernetes allows: some milliseconds. To compare an attribute costs a
     * thousandth of this.
     */
    private static final double MOST_COST = 0.01;
    /** Of so many devices an expression may be asked that costs more, which takes up to a second each time. */
    private static final int MOST_DEVICES = 5;
    private static final DeviceMatch STOPPED = new DeviceMatch.Unknown("the expression costs more than a hundredth of"
            + " what Kubernetes allows on each of " + MOST_DEVICES + " devices, so that no more are asked");

    private final Function<String, Compilation> compiler;
    private final Function<DeviceFacts, DeviceVariable> variables;
    private final AtomicLong evaluations = new AtomicLong();
    /** The one that was asked last is the last. */
    private final Map<String, Expression> known = new LinkedHashMap<>(16, 0.75f, true);
    private final Set<String> stopped = new HashSet<>();
    private int text;
    private @Nullable Asked asked;

    Expressions(Function<String, Compilation> compiler, Function<DeviceFacts, DeviceVariable> variables) {
        this.compiler = compiler;
        this.variables = variables;
    }

    static Expressions of(DeviceSelectors selectors) {
        return new Expressions(selectors::compile, selectors::variable);
    }

    /** @param expensive what it cost too much for */
    private record Expression(Compilation compilation, Set<DeviceFacts> expensive) {}

    /** Rules ask several expressions of a device in a row. Kept for longer, a variable takes as much memory as the facts. */
    private record Asked(DeviceFacts facts, DeviceVariable variable) {}

    /** Why an expression cannot be asked of any device; empty if it can. */
    Optional<String> compileError(String expression) {
        return find(expression).compilation() instanceof CompileError error
                ? Optional.of(error.toString())
                : Optional.empty();
    }

    /** Whether it holds. */
    DeviceMatch match(String expression, DeviceFacts facts) {
        Expression found = find(expression);
        return switch (found.compilation()) {
            case CompileError error -> new DeviceMatch.Unknown(error.toString());
            case Compiled(DeviceSelector selector) -> found.expensive().size() < MOST_DEVICES
                    ? match(expression, selector, found.expensive(), facts)
                    : STOPPED;
        };
    }

    private DeviceMatch match(
            String expression, DeviceSelector selector, Set<DeviceFacts> expensive, DeviceFacts facts) {
        evaluations.incrementAndGet();
        Evaluation evaluation = selector.evaluate(variable(facts));
        if (evaluation.cost() > MOST_COST && expensive.add(facts) && expensive.size() == MOST_DEVICES) {
            stopped.add(expression);
            return STOPPED;
        }
        return switch (evaluation.selection()) {
            case Selection.Selected selected -> DeviceMatch.YES;
            case Selection.NotSelected not -> DeviceMatch.NO;
            case Selection.EvaluationError(String message) -> new DeviceMatch.Unknown(message);
        };
    }

    /** Expressions that have no answers any more although they had some when this was called last. */
    Set<String> takeStopped() {
        Set<String> taken = Set.copyOf(stopped);
        stopped.clear();
        return taken;
    }

    /** How often an expression has been asked of a device; for any thread. */
    long evaluations() {
        return evaluations.get();
    }

    private DeviceVariable variable(DeviceFacts facts) {
        Asked last = asked;
        if (last == null || last.facts() != facts) {
            last = new Asked(facts, variables.apply(facts));
            asked = last;
        }
        return last.variable();
    }

    private Expression find(String expression) {
        Expression found = known.get(expression);
        if (found == null) {
            found = new Expression(compiler.apply(expression), new HashSet<>());
            known.put(expression, found);
            text += expression.length();
            Iterator<String> eldest = known.keySet().iterator();
            while (text > MOST_TEXT) {
                text -= eldest.next().length();
                eldest.remove();
            }
        }
        return found;
    }
}
