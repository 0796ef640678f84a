package io.nodeward.core.cel;

import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.cel.Compilation.CompileError;
import io.nodeward.core.cel.Compilation.Compiled;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** Expressions of rules and classes, each compiled once, asked of devices within bounds. Not safe for several threads. */
public final class DeviceExpressions {
    /** So much text of expressions is kept; what is compiled of it takes 50 times as much memory. */
    private static final int MOST_TEXT = 1 << 20;
    /** What an evaluation may cost: milliseconds, at worst some tens. To compare an attribute costs a thousandth of this. */
    private static final long MOST_COST = CostMeter.LIMIT / 100;
    /** As many as two ResourceSlices have, of which each rule asks all. */
    static final int MOST_VARIABLES = 256;

    private final Function<String, Compilation> compiler;
    private final Function<DeviceFacts, DeviceVariable> reader;
    private final AtomicLong evaluations = new AtomicLong();
    /** The one that was asked last is the last. */
    private final Map<String, Compilation> known = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<DeviceFacts, DeviceVariable> variables = new IdentityHashMap<>();
    private int text;

    DeviceExpressions(Function<String, Compilation> compiler, Function<DeviceFacts, DeviceVariable> reader) {
        this.compiler = compiler;
        this.reader = reader;
    }

    /** In a cluster with these features. What compiles is made when the first expression is asked. */
    public static DeviceExpressions of(SelectorFeatures features) {
        return new DeviceExpressions(expression -> DeviceSelectors.of(features).compile(expression),
                facts -> DeviceSelectors.of(features).variable(facts));
    }

    /** Why an expression can be asked of no device; empty if it can. */
    public Optional<String> compileError(String expression) {
        return find(expression).error();
    }

    /** Whether it holds. It throws nothing: what is wrong with an expression or a device is why nobody knows. */
    public DeviceMatch match(String expression, DeviceFacts facts) {
        return switch (find(expression)) {
            case CompileError error -> new DeviceMatch.Unknown(error.toString());
            case Compiled(DeviceSelector selector) -> {
                evaluations.incrementAndGet();
                yield selector.select(variable(facts), selector.meter(MOST_COST));
            }
        };
    }

    /** How often an expression has been asked of a device; for any thread. */
    public long evaluations() {
        return evaluations.get();
    }

    private Compilation find(String expression) {
        Compilation found = known.get(expression);
        if (found == null) {
            found = compiler.apply(expression);
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

    private DeviceVariable variable(DeviceFacts facts) {
        DeviceVariable found = variables.get(facts);
        if (found == null) {
            if (variables.size() == MOST_VARIABLES) {
                variables.clear();
            }
            found = reader.apply(facts);
            variables.put(facts, found);
        }
        return found;
    }
}
