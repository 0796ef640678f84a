package io.nodeward.core.rules.placement;

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
