package io.nodeward.cli.explain;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.origin.NodeScopes;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.origin.NodeOrigins;
import io.nodeward.core.rules.origin.NodeScope;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where the taints of one Node come from.
 *
 * @param warnings what is not known
 */
public record NodeExplanation(NodeScope scope, NodeOrigins origins, List<String> warnings) {
    public NodeExplanation {
        warnings = List.copyOf(warnings);
    }

    /** @throws NoSuchObjectException if the fleet does not have the Node */
    public static NodeExplanation of(Snapshot snapshot, String name, Gates gates) throws NoSuchObjectException {
        Set<String> warnings = new LinkedHashSet<>();
        NodeScope scope = new NodeScopes(snapshot, gates, warnings).of(node(snapshot, name));
        if (scope.levels().isEmpty() && warnings.isEmpty()) {
            warnings.add("no Machine or MachinePool is known whose Node this is: what is declared for it is not seen");
        }
        warnings.addAll(snapshot.gaps());
        return new NodeExplanation(scope, NodeOrigins.of(scope), List.copyOf(warnings));
    }

    static Manifest node(Snapshot snapshot, String name) throws NoSuchObjectException {
        List<Manifest> nodes = snapshot.all("", "Node");
        return snapshot.find(new Manifest.Id("", "Node", ObjectKey.clusterScoped(name)))
                .orElseThrow(() -> new NoSuchObjectException("there is no Node " + name + "; there "
                        + (nodes.isEmpty() ? "is none at all" : "are: " + nodes.stream().limit(10)
                                .map(node -> node.id().key().name()).collect(Collectors.joining(", "))
                                + (nodes.size() > 10 ? ", ..." : ""))));
    }

    String name() {
        return scope.node().key().name();
    }
}
