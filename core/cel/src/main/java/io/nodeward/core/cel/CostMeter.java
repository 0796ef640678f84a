package io.nodeward.core.cel;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
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
 * as how large a value becomes that has another one many times, ends it too.
 */
final class CostMeter implements CelEvaluationListener {
    /** What Kubernetes allows. */
    static final long LIMIT = 1_000_000;
    /** So much work that Kubernetes does not count is allowed for each unit that it counts. */
    private static final int UNCOUNTED = 5;
    private static final double TEXT_FACTOR = 0.1;
    private static final double REGEX_FACTOR = 0.25;
    private static final int LIST_BASE = 11;
    private static final String TOO_LARGE = "the expression makes values that are too large";

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
            charge(costOf(next));
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
        if (growing == null && weights.containsKey(value)) {
            return;
        }
        long weight = growing == null ? weightOf(value) : weightGrown(growing, value);
        if (weight > limit) {
            throw exceeded(TOO_LARGE);
        }
        weights.put(value, weight);
    }

    /** What a list or map has got is counted, not all that it has: it may grow in each round of a loop. */
    private long weightGrown(Call call, Object value) {
        long weight = 1;
        for (int i = 0; i < call.arguments().length; i++) {
            weight += weightOf(argument(call, i));
        }
        Object before = argument(call, 0);
        if (before != value) { // it was copied
            work(sizeOf(value));
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
            weight += (long) (sizeOf(value) * TEXT_FACTOR);
        }
        return weight;
    }

    private @Nullable Object argument(Call call, int i) {
        return values[call.arguments()[i]];
    }

    private long size(Call call, int i) {
        return i < call.arguments().length ? sizeOf(argument(call, i)) : 0;
    }

    private static long sizeOf(@Nullable Object value) {
        return switch (value) {
            case null -> 1;
            case String text -> text.length();
            case CelByteString bytes -> bytes.size();
            case DomainMap map -> map.entrySet().size();
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case IpAddress address -> address.bits() / Byte.SIZE;
            case IpRange range -> range.address().bits() / Byte.SIZE;
            case Optional<?> optional when optional.isPresent() -> sizeOf(optional.get());
            default -> 1;
        };
    }

    private static long text(double size) {
        return (long) Math.ceil(size * TEXT_FACTOR);
    }

    private long costOf(Call call) {
        return switch (call.function()) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(argument(call, 0));
            case "url", "lowerAscii", "upperAscii", "substring", "trim", "cidr", "isIP", "isCIDR", "quantity",
                    "isQuantity", "semver", "isSemver", "startsWith", "endsWith", "bytes", "strings.quote", "format" ->
                    text(size(call, 0));
            case "ip.isCanonical", "split" -> text(2 * size(call, 0));
            case "replace" -> replacement(call);
            case "join" -> join(call);
            case "find", "findAll", "matches" ->
                    text(1.0 + size(call, 0)) * (long) Math.ceil(size(call, 1) * REGEX_FACTOR);
            case "contains" -> text(size(call, 0)) * text(size(call, 1));
            case "ip" -> call.overload().equals("cidr_ip") ? 1 : text(size(call, 0));
            case "string" -> call.overload().equals("bytes_to_string") ? text(size(call, 0)) : 1;
            case "containsIP" -> text(2 * size(call, 0)) + parsed(call);
            case "containsCIDR" -> text(2 * size(call, 0)) + text(size(call, 0)) + 1 + parsed(call);
            case "validate" -> text(1.0 + size(call, 1)) * 10;
            case "includes" -> size(call, 0);
            default -> costOfOperator(call);
        };
    }

    private long costOfOperator(Call call) {
        return switch (call.function()) {
            case "_==_", "_!=_" -> isOpaque(argument(call, 0)) ? 1 : text(Math.min(size(call, 0), size(call, 1)));
            case "_<_", "_<=_", "_>_", "_>=_" -> text(Math.min(size(call, 0), size(call, 1)));
            case "_+_" -> argument(call, 0) instanceof String || argument(call, 0) instanceof CelByteString
                    ? text(size(call, 0) + size(call, 1)) : 1;
            case "@in" -> argument(call, 1) instanceof List<?> ? size(call, 1) : 1;
            case "lists.range" -> LIST_BASE + (argument(call, 0) instanceof Long count ? Math.max(0, count) : 0);
            case "reverse" -> LIST_BASE + size(call, 0);
            case "slice" -> LIST_BASE + slice(call);
            case "flatten" -> flatten(call);
            case "distinct", "sort" -> LIST_BASE + squared(argument(call, 0));
            case "@sortByAssociatedKeys" -> LIST_BASE + squared(argument(call, 1));
            case "sets.contains", "sets.intersects" -> 1 + size(call, 0) * size(call, 1);
            case "sets.equivalent" -> 1 + 2 * size(call, 0) * size(call, 1);
            case "" -> 0;
            default -> 1;
        };
    }

    private static boolean isOpaque(@Nullable Object value) {
        return value instanceof Quantity || value instanceof Semver || value instanceof Url
                || value instanceof IpAddress
                || value instanceof IpRange || value instanceof NamedFormat;
    }

    private static long traversal(@Nullable Object value) {
        return switch (value) {
            case String text -> (long) (text.length() * TEXT_FACTOR);
            case CelByteString bytes -> (long) (bytes.size() * TEXT_FACTOR);
            case Collection<?> list -> list.stream().mapToLong(CostMeter::traversal).sum();
            case Map<?, ?> map -> map.entrySet().stream()
                    .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue())).sum();
            case null, default -> 1;
        };
    }

    private long parsed(Call call) {
        return argument(call, 1) instanceof String other ? text(other.length()) : 0;
    }

    /** Kubernetes counts the text that is searched alone, however large the result becomes. */
    private long replacement(Call call) {
        long times = 1 + size(call, 0) / Math.max(1, size(call, 1));
        work(text(times * (double) size(call, 2)));
        return text(2 * size(call, 0));
    }

    private long join(Call call) {
        long separators = Math.max(0, size(call, 0) - 1) * (call.arguments().length > 1 ? size(call, 1) : 0);
        long texts = argument(call, 0) instanceof Collection<?> list
                ? list.stream().mapToLong(CostMeter::sizeOf).sum() : 0;
        return text(2.0 * (separators + texts));
    }

    private long slice(Call call) {
        return argument(call, 1) instanceof Long from && argument(call, 2) instanceof Long to
                ? Math.max(0, Math.min(size(call, 0), to) - Math.max(0, from)) : 0;
    }

    private long flatten(Call call) {
        work(weightOf(argument(call, 0)));
        double depth = call.arguments().length > 1 && argument(call, 1) instanceof Long given ? given : 1;
        return LIST_BASE + (long) (depth * size(call, 0));
    }

    private static long squared(@Nullable Object value) {
        if (!(value instanceof List<?> list) || list.isEmpty()) {
            return 0;
        }
        Object first = list.get(0);
        double factor = first instanceof String || first instanceof CelByteString ? 2 + TEXT_FACTOR : 2;
        return (long) (factor * list.size() * list.size());
    }
}
