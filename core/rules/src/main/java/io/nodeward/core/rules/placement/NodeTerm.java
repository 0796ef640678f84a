package io.nodeward.core.rules.placement;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.selector.LabelSelector;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One term of a required node affinity: all of it must match.
 *
 * @param labels of the Node
 * @param fields of the Node; {@code metadata.name} is the only one there is
 */
public record NodeTerm(List<Requirement> labels, List<Requirement> fields) {
    private static final String NAME = "metadata.name";

    public NodeTerm {
        labels = List.copyOf(labels);
        fields = List.copyOf(fields);
    }

    static NodeTerm of(Tree term) {
        return new NodeTerm(requirements(term.at("matchExpressions")), requirements(term.at("matchFields")));
    }

    private static List<Requirement> requirements(Tree expressions) {
        return expressions.elements().stream().map(expression -> {
            Optional<Operator> operator = operator(expression);
            return new Requirement(expression.at("key").string(), operator.orElse(Operator.IN), operator.isEmpty()
                    ? List.of()
                    : expression.at("values").elements().stream().map(Tree::string).sorted().toList());
        }).toList();
    }

    /** Empty if it is not known: then no Node has what is asked for. */
    static Optional<Operator> operator(Tree expression) {
        return Optional.ofNullable(switch (expression.at("operator").string()) {
            case "In" -> Operator.IN;
            case "NotIn" -> Operator.NOT_IN;
            case "Exists" -> Operator.EXISTS;
            case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
            case "Gt" -> Operator.GREATER;
            case "Lt" -> Operator.LESS;
            default -> null;
        });
    }

    /** An empty term matches nothing. */
    boolean matches(Node node) {
        return !(labels.isEmpty() && fields.isEmpty())
                && new LabelSelector(labels).matches(node.metadata().labels())
                && new LabelSelector(fields).matches(Map.of(NAME, node.key().name()));
    }

    /** The only Nodes it can match; empty if it does not select them by name. */
    Optional<Set<String>> names() {
        Set<String> names = null;
        for (Requirement field : fields) {
            if (field.key().equals(NAME) && field.operator() == Operator.IN) {
                Set<String> these = new TreeSet<>(field.values());
                if (names != null) {
                    these.retainAll(names);
                }
                names = these;
            }
        }
        return Optional.ofNullable(names);
    }
}
