package io.nodeward.core.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.nodeward.core.cel.Selection.EvaluationError;
import io.nodeward.core.cel.Selection.NotSelected;
import io.nodeward.core.cel.Selection.Selected;

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
    public Selection select(DeviceVariable device) {
        return select(device, new CostMeter(costs));
    }

    /** As {@link #select}, and what it has cost. */
    public Evaluation evaluate(DeviceVariable device) {
        CostMeter meter = meter();
        return new Evaluation(select(device, meter), meter.share());
    }

    Selection select(DeviceVariable device, CostMeter meter) {
        try {
            Object result = program.trace(device.variables(), meter);
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
}
