package io.nodeward.core.rules.toleration;

import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.validation.DecimalInteger;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.NameFaults;
import io.nodeward.core.rules.validation.NodeTaintRules;
import java.util.ArrayList;
import java.util.List;

/** What the API server finds wrong with the tolerations of a pod. Repeated ones are fine, and any number. */
public final class TolerationRules {
    private static final List<String> OPERATORS = List.of(Toleration.EQUAL, Toleration.EXISTS);
    private static final List<String> COMPARISONS =
            List.of(Toleration.EQUAL, Toleration.EXISTS, Toleration.LESS, Toleration.GREATER);

    private final List<FieldFault> faults = new ArrayList<>(0);
    private final boolean comparisons;

    private TolerationRules(boolean comparisons) {
        this.comparisons = comparisons;
    }

    /**
     * All faults, in the order of the list; empty if a pod may have these tolerations.
     *
     * @param path where the list is, for example {@code spec.tolerations}
     * @param tolerance says whether {@code Lt} and {@code Gt} may be used
     */
    public static List<FieldFault> validate(String path, List<Toleration> tolerations, Tolerance tolerance) {
        TolerationRules rules = new TolerationRules(tolerance.comparisons());
        for (int i = 0; i < tolerations.size(); i++) {
            rules.check(path + "[" + i + "]", tolerations.get(i));
        }
        return List.copyOf(rules.faults);
    }

    private void check(String path, Toleration toleration) {
        if (!toleration.key().isEmpty()) {
            NodeTaintRules.key(path + ".key", toleration.key(), faults);
        } else if (!toleration.operator().equals(Toleration.EXISTS)) {
            invalid(path + ".operator", toleration.operator(),
                    "operator must be Exists when `key` is empty, which means \"match all values and all keys\"");
        }
        if (toleration.seconds().isPresent() && !toleration.effect().equals("NoExecute")) {
            invalid(path + ".effect", toleration.effect(),
                    "effect must be 'NoExecute' when `tolerationSeconds` is set");
        }
        operator(path, toleration);
        if (!toleration.effect().isEmpty()) {
            NodeTaintRules.effect(path + ".effect", toleration.effect(), faults);
        }
    }

    /** Faults of a value are reported for the operator, as the API server does, unless it is compared as a number. */
    private void operator(String path, Toleration toleration) {
        String operator = path + ".operator";
        switch (toleration.operator()) {
            case "", Toleration.EQUAL -> {
                List<String> value = NameFaults.ofValue(toleration.value());
                if (!value.isEmpty()) {
                    invalid(operator, toleration.value(), String.join(";", value));
                }
            }
            case Toleration.EXISTS -> {
                if (!toleration.value().isEmpty()) {
                    invalid(operator, toleration.value(), "value must be empty when `operator` is 'Exists'");
                }
            }
            case Toleration.LESS, Toleration.GREATER -> {
                if (comparisons) {
                    number(path + ".value", toleration.value());
                } else {
                    faults.add(FieldFault.notSupported(operator, toleration.operator(), COMPARISONS));
                }
            }
            default -> faults.add(FieldFault.notSupported(operator, toleration.operator(), OPERATORS));
        }
    }

    private void number(String path, String value) {
        DecimalInteger.formFault(value).ifPresent(fault -> invalid(path, value, fault));
        DecimalInteger.numberFault(value).ifPresent(fault -> invalid(path, value, fault));
    }

    private void invalid(String path, String value, String detail) {
        faults.add(FieldFault.invalid(path, value, detail));
    }
}
