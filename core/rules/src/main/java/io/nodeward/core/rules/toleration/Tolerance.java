package io.nodeward.core.rules.toleration;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.validation.DecimalInteger;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which tolerations match which taints, as every part of Kubernetes decides it.
 *
 * @param comparisons whether the operators {@code Lt} and {@code Gt} match at all: the gate
 *     TaintTolerationComparisonOperators, which is off unless somebody switches it on
 */
public record Tolerance(boolean comparisons) {
    /** As clusters are by default. */
    public static final Tolerance DEFAULT = new Tolerance(false);

    private static final String NO_EXECUTE = "NoExecute";

    /** Texts are compared as they stand, known effects or not; an unknown operator matches nothing. */
    public boolean tolerates(Toleration toleration, Taint taint) {
        return tolerates(toleration, taint.key(), taint.value(), taint.effect());
    }

    /** The first of them that matches, which is the one whose time counts. */
    public Optional<Toleration> first(List<Toleration> tolerations, Taint taint) {
        for (Toleration toleration : tolerations) {
            if (tolerates(toleration, taint)) {
                return Optional.of(toleration);
            }
        }
        return Optional.empty();
    }

    boolean tolerates(Toleration toleration, String key, String value, String effect) {
        if (!isSameOrAny(toleration.effect(), effect) || !isSameOrAny(toleration.key(), key)) {
            return false;
        }
        return switch (toleration.operator()) {
            case "", Toleration.EQUAL -> toleration.value().equals(value);
            case Toleration.EXISTS -> true;
            case Toleration.LESS, Toleration.GREATER -> comparisons && compares(toleration, value);
            default -> false;
        };
    }

    static boolean isNoExecute(Taint taint) {
        return taint.effect().equals(NO_EXECUTE);
    }

    private static boolean isSameOrAny(String wanted, String found) {
        return wanted.isEmpty() || wanted.equals(found);
    }

    private static boolean compares(Toleration toleration, String value) {
        OptionalLong limit = DecimalInteger.canonical(toleration.value());
        OptionalLong number = DecimalInteger.canonical(value);
        if (limit.isEmpty() || number.isEmpty()) {
            return false;
        }
        int order = Long.compare(number.getAsLong(), limit.getAsLong());
        return toleration.operator().equals(Toleration.LESS) ? order < 0 : order > 0;
    }
}
