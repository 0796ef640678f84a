package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A selector of objects by their labels, as metav1.LabelSelector. Texts are as stored: rules decide what they select. */
public record Selector(Map<String, String> matchLabels, List<Expression> matchExpressions) {
    public Selector {
        matchLabels = Map.copyOf(matchLabels);
        matchExpressions = List.copyOf(matchExpressions);
    }

    /** @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist} */
    public record Expression(String key, String operator, List<String> values) {
        public Expression {
            values = List.copyOf(values);
        }

        private static Expression of(Tree expression) {
            return new Expression(expression.at("key").string(), expression.at("operator").string(),
                    Texts.list(expression.at("values")));
        }

        private Tree tree() {
            return Tree.of(Map.of("key", key, "operator", operator, "values", values));
        }
    }

    /** Empty if there is none; one without requirements selects everything. */
    static Optional<Selector> of(Tree selector) {
        return selector instanceof Tree.Fields
                ? Optional.of(new Selector(Texts.map(selector.at("matchLabels")),
                        selector.at("matchExpressions").elements().stream().map(Expression::of).toList()))
                : Optional.empty();
    }

    Tree tree() {
        return Tree.of(Map.of(
                "matchLabels", new TreeMap<>(matchLabels),
                "matchExpressions", matchExpressions.stream().map(Expression::tree).toList()));
    }
}
