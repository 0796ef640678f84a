package io.nodeward.core.rules.origin;

import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds a declaration on its way from where it is made down to a Machine. */
final class DeclarationPath {
    private DeclarationPath() {}

    /**
     * Those that declare it, from the first one up without a gap. What a Cluster declares, its class does not matter for;
     * what it does not, its class may. Another value above is a gap: this one does not come from there.
     *
     * @param levels the nearest first
     */
    static List<DeclaringObject> of(List<DeclaringObject> levels, TaintId id) {
        List<DeclaringObject> path = new ArrayList<>();
        Optional<String> value = Optional.empty();
        for (DeclaringObject level : levels) {
            Optional<String> found = level.find(id).map(declared -> declared.taint().value());
            if (found.isEmpty() && level.source() == Source.CLUSTER) {
                continue;
            }
            if (found.isEmpty() || !path.isEmpty() && !found.equals(value)) {
                break;
            }
            value = found;
            path.add(level);
            if (level.source() == Source.CLUSTER) {
                break;
            }
        }
        return path;
    }
}
