package io.nodeward.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.nodeward.core.rules.device.DeviceMatch;
import io.nodeward.core.rules.device.DeviceMatch.Unknown;

/** A compiled expression, which any number of threads may ask of any number of devices. */
public final class DeviceSelector {
    private static final int LONGEST_MESSAGE = 500;

    private final CelRuntime.Program program;
    private final CostPlan costs;

    DeviceSelector(CelAbstractSyntaxTree ast, CelRuntime runtime) {
        this.costs = new CostPlan(ast);
        try {
            this.program = runtime.createProgram(ast);
        } catch (CelEvaluationException e) {
            throw new IllegalArgumentException("program instantiation failed: " + e.getMessage(), e);
        }
    }

    /** Whether it selects a device; an evaluation ends with an error when it has cost what Kubernetes allows. */
    public DeviceMatch select(DeviceVariable device) {
        return select(device, meter(CostMeter.LIMIT));
    }

    DeviceMatch select(DeviceVariable device, CostMeter meter) {
        try {
            Object result = program.trace(device.variables(), meter);
            return result instanceof Boolean selected
                    ? DeviceMatch.of(selected)
                    : new Unknown("the result is no bool: " + result.getClass().getSimpleName());
        } catch (CelEvaluationException e) {
            return new Unknown(message(e));
        } catch (CostMeter.Exceeded | IllegalArgumentException e) {
            return new Unknown(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return new Unknown("the expression is nested too deeply");
        } catch (RuntimeException e) { // whatever it hits upon concerns this device alone
            return new Unknown(shortened("the evaluation failed: " + e));
        }
    }

    /** Of an evaluation that ends with an error when it has cost more. */
    CostMeter meter(long limit) {
        return new CostMeter(costs, limit);
    }

    /** A function's own words are those of the cause; without, those of the language. A value in them may be long. */
    static String message(CelEvaluationException e) {
        Throwable cause = e.getCause();
        String message =
                String.valueOf(cause == null || cause.getMessage() == null ? e.getMessage() : cause.getMessage());
        return shortened(message.replaceFirst("^java\\.lang\\.\\w+Exception: ", ""));
    }

    private static String shortened(String text) {
        return text.length() <= LONGEST_MESSAGE ? text : text.substring(0, LONGEST_MESSAGE) + "...";
    }
}
