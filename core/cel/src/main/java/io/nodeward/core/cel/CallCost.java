package io.nodeward.core.cel;

import dev.cel.common.values.CelByteString;
import io.nodeward.core.cel.CostPlan.Call;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What Kubernetes counts for a call whose arguments have their values.
 *
 * @param values of all nodes that have been evaluated
 */
record CallCost(Call call, @Nullable Object[] values) {
    private static final double TEXT_FACTOR = 0.1;
    private static final double REGEX_FACTOR = 0.25;
    private static final int LIST_BASE = 11;

    int arguments() {
        return call.arguments().length;
    }

    @Nullable
    Object argument(int i) {
        return values[call.arguments()[i]];
    }

    long size(int i) {
        return i < call.arguments().length ? sizeOf(argument(i)) : 0;
    }

    static long sizeOf(@Nullable Object value) {
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

    static long text(double size) {
        return (long) Math.ceil(size * TEXT_FACTOR);
    }

    long units() {
        return switch (call.function()) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(argument(0));
            case "url", "lowerAscii", "upperAscii", "substring", "trim", "cidr", "isIP", "isCIDR", "quantity",
                    "isQuantity", "semver", "isSemver", "startsWith", "endsWith", "bytes", "strings.quote", "format" ->
                    text(size(0));
            case "ip.isCanonical", "split", "replace" -> text(2 * size(0));
            case "join" -> join();
            case "find", "findAll", "matches" ->
                    search(size(1));
            case "contains" -> text(size(0)) * text(size(1));
            case "ip" -> call.overload().equals("cidr_ip") ? 1 : text(size(0));
            case "string" -> call.overload().equals("bytes_to_string") ? text(size(0)) : 1;
            case "containsIP" -> text(2 * size(0)) + parsed();
            case "containsCIDR" -> text(2 * size(0)) + text(size(0)) + 1 + parsed();
            case "validate" -> text(1.0 + size(1)) * 10;
            case "includes" -> size(0);
            default -> costOfOperator();
        };
    }

    private long costOfOperator() {
        return switch (call.function()) {
            case "_==_", "_!=_" -> isOpaque(argument(0)) ? 1 : text(Math.min(size(0), size(1)));
            case "_<_", "_<=_", "_>_", "_>=_" -> text(Math.min(size(0), size(1)));
            case "_+_" -> argument(0) instanceof String || argument(0) instanceof CelByteString
                    ? text(size(0) + size(1)) : 1;
            case "@in" -> argument(1) instanceof List<?> ? size(1) : 1;
            case "lists.range" -> LIST_BASE + (argument(0) instanceof Long count ? Math.max(0, count) : 0);
            case "reverse" -> LIST_BASE + size(0);
            case "slice" -> LIST_BASE + slice();
            case "flatten" -> flatten();
            case "distinct", "sort" -> LIST_BASE + squared(argument(0));
            case "@sortByAssociatedKeys" -> LIST_BASE + squared(argument(1));
            case "sets.contains", "sets.intersects" -> 1 + size(0) * size(1);
            case "sets.equivalent" -> 1 + 2 * size(0) * size(1);
            case CostPlan.IN_CONSTANTS -> 0;
            default -> 1;
        };
    }

    /** @param regex how large the regular expression is */
    private long search(long regex) {
        return text(1.0 + size(0)) * (long) Math.ceil(regex * REGEX_FACTOR);
    }

    /** Of a regular expression in a text, where what is repeated counts each time. */
    long wholeSearch() {
        return argument(1) instanceof String regex ? search(RegexBounds.size(regex)) : 0;
    }

    /** Of what has a length, the characters or digits. */
    static long lengthOf(@Nullable Object value) {
        return switch (value) {
            case Quantity quantity -> quantity.digits();
            case Semver version -> version.length();
            case Url url -> url.length();
            case Optional<?> optional when optional.isPresent() -> lengthOf(optional.get());
            case Collection<?> list -> 1;
            case Map<?, ?> map -> 1;
            case null, default -> sizeOf(value);
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
            case Collection<?> list -> list.stream().mapToLong(CallCost::traversal).sum();
            case Map<?, ?> map -> map.entrySet().stream()
                    .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue())).sum();
            case null, default -> 1;
        };
    }

    private long parsed() {
        return argument(1) instanceof String other ? text(other.length()) : 0;
    }

    private long join() {
        long separators = Math.max(0, size(0) - 1) * (call.arguments().length > 1 ? size(1) : 0);
        long texts = argument(0) instanceof Collection<?> list
                ? list.stream().mapToLong(CallCost::sizeOf).sum() : 0;
        return text(2.0 * (separators + texts));
    }

    private long slice() {
        return argument(1) instanceof Long from && argument(2) instanceof Long to
                ? Math.max(0, Math.min(size(0), to) - Math.max(0, from)) : 0;
    }

    private long flatten() {
        double depth = call.arguments().length > 1 && argument(1) instanceof Long given ? given : 1;
        return LIST_BASE + (long) (depth * size(0));
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
