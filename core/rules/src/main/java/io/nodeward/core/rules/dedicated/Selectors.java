package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.Selector;
import io.nodeward.api.dedicated.Selector.Expression;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Makes declared selectors ready for use. */
final class Selectors {
    /** What a text that cannot be used asks for: nobody has it. */
    private static final List<String> NO_VALUE = List.of();

    private Selectors() {}

    static LabelSelector of(Selector selector) {
        List<Requirement> all = new ArrayList<>();
        for (Map.Entry<String, String> label : selector.matchLabels().entrySet()) {
            all.add(new Requirement(label.getKey(), Operator.IN, List.of(label.getValue())));
        }
        selector.matchExpressions().forEach(expression -> all.add(requirement(expression)));
        return new LabelSelector(all);
    }

    static Stream<String> keys(Selector selector) {
        return Stream.concat(
                selector.matchLabels().keySet().stream(),
                selector.matchExpressions().stream().map(Expression::key));
    }

    private static Requirement requirement(Expression expression) {
        String key = expression.key();
        List<String> values = expression.values();
        return switch (expression.operator()) {
            case "In" -> new Requirement(key, Operator.IN, values);
            case "NotIn" -> new Requirement(key, values.isEmpty() ? Operator.IN : Operator.NOT_IN, values);
            case "Exists" -> new Requirement(key, Operator.EXISTS, List.of());
            case "DoesNotExist" -> new Requirement(key, Operator.DOES_NOT_EXIST, List.of());
            default -> new Requirement(key, Operator.IN, NO_VALUE);
        };
    }
}
