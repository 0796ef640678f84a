package io.nodeward.core.rules.origin;

import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.List;

/** Finds a declaration on its way from where it is made down to a Machine. */
final class Lineage {
    private Lineage() {}

    /**
     * Those that declare it, from the first one up without a gap. What a Cluster declares, its class does not matter for;
     * what it does not, its class may.
     *
     * @param levels the nearest first
     */
    static List<Level> path(List<Level> levels, TaintId id) {
        List<Level> path = new ArrayList<>();
        for (Level level : levels) {
            if (level.find(id).isPresent()) {
                path.add(level);
                if (level.source() == Source.CLUSTER) {
                    break;
                }
            } else if (level.source() != Source.CLUSTER) {
                break;
            }
        }
        return path;
    }
}
