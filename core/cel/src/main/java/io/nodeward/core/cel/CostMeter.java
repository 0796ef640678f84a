package io.nodeward.core.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.runtime.CelEvaluationListener;
import io.nodeward.core.cel.CostPlan.Call;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one evaluation costs, in the units of Kubernetes; it ends when the budget is spent. What Kubernetes does not count,
 * as how large a value becomes that has another one many times, or how long what a call reads is, ends it too.
 */
final class CostMeter implements CelEvaluationListener {
    /** What Kubernetes allows. */
    static final long LIMIT = 1_000_000;
    /** So much work that Kubernetes does not count is allowed for each unit that it counts. */
    private static final int UNCOUNTED = 5;
    static final String TOO_LARGE =
            "the expression makes values that are too large, or reads such ones too often";

    private final CostPlan plan;
    private final long limit;
    private final @Nullable Object[] values;
    private final Map<Object, Long> weights = new IdentityHashMap<>();
    private long cost;
    private long work;

    CostMeter(CostPlan plan, long limit) {
        this.plan = plan;
        this.limit = limit;
        this.values = new Object[plan.size()];
    }

    /** The evaluation stops here. It is an Error since the operators {@code &&} and {@code ||} catch every Exception. */
    static final class Exceeded extends Error {
        Exceeded(String message) {
            super(message, null, false, false);
        }
    }

    long cost() {
        return cost;
    }

    @Override
    public void callback(CelExpr expr, Object value) {
        int id = (int) expr.id();
        if (id >= values.length) {
            return;
        }
        if (plan.hasToBeTruth(id) && !(value instanceof Boolean)) { // an error here, unlike later, may not matter
            throw new IllegalArgumentException("no such overload");
        }
        values[id] = value;
        charge(plan.costOf(id));
        if (value instanceof Collection<?> || value instanceof Map<?, ?>) {
            weigh(id, value);
        }
        Call next = plan.callAfter(id);
        if (next != null) {
            CallCost call = new CallCost(next, values);
            work(workOf(call, next.function()));
            charge(call.units());
        }
    }

    private void charge(long units) {
        cost += units;
        if (cost > limit || cost < 0) {
            throw exceeded("actual cost limit exceeded");
        }
    }

    private void work(long units) {
        work += units;
        if (work > limit * UNCOUNTED || work < 0) {
            throw exceeded(TOO_LARGE);
        }
    }

    private Exceeded exceeded(String what) {
        return new Exceeded(limit == LIMIT
                ? "operation cancelled: " + what
                : "the expression costs more than " + 100 * limit / LIMIT + " % of what Kubernetes allows");
    }

    /** Of what a list or a map holds, and what that holds. */
    private void weigh(int id, Object value) {
        Call growing = plan.growthAt(id);
        if (growing != null && growing.function().equals("findAll")) { // each match is a search of its own
            work(CallCost.sizeOf(value) * new CallCost(growing, values).wholeSearch());
            growing = null;
        }
        if (growing == null && weights.containsKey(value)) {
            return;
        }
        long weight = growing == null ? weightOf(value) : weightGrown(new CallCost(growing, values), value);
        if (weight > limit) {
            throw exceeded(TOO_LARGE);
        }
        weights.put(value, weight);
    }

    /** What a list or map has got is counted, not all that it has: it may grow in each round of a loop. */
    private long weightGrown(CallCost call, Object value) {
        long weight = 1;
        for (int i = 0; i < call.arguments(); i++) {
            weight += weight(call, i);
        }
        Object before = call.argument(0);
        if (before != value) { // it was copied
            work(CallCost.sizeOf(value));
            if (value instanceof Map<?, ?>) {
                weights.remove(before); // which is what the round before made, and nobody else has
            }
        }
        return weight;
    }

    private long weightOf(@Nullable Object value) {
        Long known = value == null ? null : weights.get(value);
        if (known != null) {
            return known;
        }
        long weight = 1;
        if (value instanceof Collection<?> list) {
            work(list.size());
            for (Object element : list) {
                weight += weightOf(element);
            }
        } else if (value instanceof Map<?, ?> map) {
            work(map.size());
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                weight += weightOf(entry.getKey()) + weightOf(entry.getValue());
            }
        } else if (value instanceof Optional<?> optional && optional.isPresent()) {
            weight += weightOf(optional.get());
        } else {
            weight += CallCost.lengthOf(value) / 10;
        }
        return weight;
    }

    /** What a call reads or writes, of which Kubernetes counts many as one unit, however long it is. */
    private long workOf(CallCost call, String function) {
        long length = 0;
        for (int i = 0; i < call.arguments(); i++) {
            length += CallCost.lengthOf(call.argument(i));
        }
        return CallCost.text(length) + switch (function) {
            case "_==_", "_!=_" -> Math.min(weight(call, 0), weight(call, 1));
            case "@in", CostPlan.IN_CONSTANTS -> call.argument(1) instanceof List<?> list ? weightOf(list) : 0;
            case "distinct", "sort" -> call.size(0) * weight(call, 0);
            case "@sortByAssociatedKeys" -> call.size(1) * weight(call, 1);
            case "flatten" -> weight(call, 0);
            case "sets.contains", "sets.intersects", "sets.equivalent" ->
                    Math.min(call.size(0) * weight(call, 1), weight(call, 0) * call.size(1));
            case "indexOf", "lastIndexOf", "split" -> CallCost.text(call.size(0)) * CallCost.text(call.size(1));
            case "replace" -> CallCost.text(call.size(0)) * CallCost.text(call.size(1))
                    + CallCost.text((1.0 + call.size(0) / Math.max(1, call.size(1))) * call.size(2));
            case "find", "findAll", "matches" -> call.wholeSearch();
            case "format" -> format(call);
            default -> 0;
        };
    }

    private static long format(CallCost call) {
        return call.argument(0) instanceof String format && call.argument(1) instanceof List<?> arguments
                ? CallCost.text(StringFormat.parse(format).length(arguments)) : 0;
    }

    private long weight(CallCost call, int i) {
        return weightOf(call.argument(i));
    }
}
