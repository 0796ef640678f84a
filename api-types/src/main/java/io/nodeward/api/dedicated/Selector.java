package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A selector of objects by their labels, as metav1.LabelSelector. Texts are as stored: rules decide what they select. */
public record Selector(Map<String, String> matchLabels, List<Expression> matchExpressions) {
    private static final Selector NOTHING = new Selector(Map.of(), List.of());

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
            return Texts.fields(Map.of("key", Tree.of(key), "operator", Tree.of(operator), "values", Tree.of(values)));
        }
    }

    /** Empty if it asks for nothing: a selector that is left empty by mistake would select everything. */
    static Optional<Selector> of(Tree selector) {
        Selector read = new Selector(Texts.map(selector.at("matchLabels")),
                selector.at("matchExpressions").elements().stream().map(Expression::of).toList());
        return Optional.of(read).filter(asks -> !asks.equals(NOTHING));
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "matchLabels", Tree.of(matchLabels),
                "matchExpressions", Tree.of(matchExpressions.stream().map(Expression::tree).toList())));
    }
}
