package io.nodeward.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.nodeward.core.cel.Selection.EvaluationError;
import io.nodeward.core.cel.Selection.NotSelected;
import io.nodeward.core.cel.Selection.Selected;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A compiled expression, which any number of threads may ask of any number of devices. */
public final class DeviceSelector {
    private static final int LONGEST_MESSAGE = 500;

    private final SelectorFeatures features;
    private final CelRuntime.Program program;
    private final CostPlan costs;

    DeviceSelector(SelectorFeatures features, CelAbstractSyntaxTree ast, CelRuntime runtime) {
        this.features = features;
        this.costs = new CostPlan(ast);
        try {
            this.program = runtime.createProgram(ast);
        } catch (CelEvaluationException e) {
            throw new IllegalArgumentException("program instantiation failed: " + e.getMessage(), e);
        }
    }

    /** Whether it selects a device; an evaluation ends with an error when it has cost what Kubernetes allows. */
    public Selection select(Device device) {
        return select(device, new CostMeter(costs));
    }

    Selection select(Device device, CostMeter meter) {
        try {
            Object result = program.trace(Map.of("device", variable(device)), meter);
            if (result instanceof Boolean selected) {
                return selected ? new Selected() : new NotSelected();
            }
            return new EvaluationError("the result is no bool: " + result.getClass().getSimpleName());
        } catch (CelEvaluationException e) {
            return new EvaluationError(message(e));
        } catch (CostMeter.Exceeded | IllegalArgumentException e) {
            return new EvaluationError(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return new EvaluationError("the expression is nested too deeply");
        }
    }

    CostMeter meter() {
        return new CostMeter(costs);
    }

    /** A function's own words are those of the cause; without, those of the language. A value in them may be long. */
    static String message(CelEvaluationException e) {
        Throwable cause = e.getCause();
        String message =
                String.valueOf(cause == null || cause.getMessage() == null ? e.getMessage() : cause.getMessage());
        String text = message.replaceFirst("^java\\.lang\\.\\w+Exception: ", "");
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "...";
    }

    private Map<String, Object> variable(Device device) {
        Map<String, Map<String, Object>> attributes = new HashMap<>();
        device.attributes().forEach((name, value) -> put(attributes, device, name, value(name, value)));
        Map<String, Map<String, Object>> capacity = new HashMap<>();
        device.capacity().forEach((name, quantity) -> put(capacity, device, name, quantity));
        return Map.of("driver", device.driver(), "allowMultipleAllocations", device.allowMultipleAllocations(),
                "attributes", new DomainMap(Map.copyOf(attributes)), "capacity", new DomainMap(Map.copyOf(capacity)));
    }

    private static void put(Map<String, Map<String, Object>> to, Device device, String name, Object value) {
        int slash = name.indexOf('/');
        String domain = slash < 0 ? device.driver() : name.substring(0, slash);
        to.computeIfAbsent(domain, d -> new HashMap<>()).put(name.substring(slash + 1), value);
    }

    private Object value(String name, Device.Attribute attribute) {
        try {
            return switch (attribute) {
                case Device.Int(long value) -> value;
                case Device.Bool(boolean value) -> value;
                case Device.Text(String value) -> value;
                case Device.Version(String value) -> version(value);
                case Device.Several(List<? extends Device.Attribute> values) when features.listAttributes() ->
                        values.stream().map(value -> value(name, value)).toList();
                case Device.Several several -> throw new IllegalArgumentException("unsupported attribute value");
                case Device.Unknown unknown -> throw new IllegalArgumentException("unsupported attribute value");
            };
        } catch (UnusableValueException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new UnusableValueException("attribute " + name + ": " + e.getMessage());
        }
    }

    private static Semver version(String value) {
        try {
            return Semver.parse(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("parse semantic version: " + e.getMessage(), e);
        }
    }

    private static final class UnusableValueException extends IllegalArgumentException {
        UnusableValueException(String message) {
            super(message);
        }
    }
}
