package io.nodeward.api.dedicated;

import io.nodeward.api.admission.Tree;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The Nodes of a group: those that any of these selects. */
public record SelectedNodes(Optional<Selector> selector, List<String> names, Optional<ClusterApiOwner> owner) {
    /** No Node. */
    public static final SelectedNodes NONE = new SelectedNodes(Optional.empty(), List.of(), Optional.empty());

    public SelectedNodes {
        names = List.copyOf(names);
    }

    static SelectedNodes of(Tree nodes) {
        return new SelectedNodes(Selector.of(nodes.at("selector")), Texts.list(nodes.at("names")),
                ClusterApiOwner.of(nodes.at("owner")));
    }

    Tree tree() {
        return Texts.fields(Map.of(
                "selector", selector.map(Selector::tree).orElse(Tree.ABSENT),
                "names", Tree.of(names),
                "owner", owner.map(ClusterApiOwner::tree).orElse(Tree.ABSENT)));
    }
}
