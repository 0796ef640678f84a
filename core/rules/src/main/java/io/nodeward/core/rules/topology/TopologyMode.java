package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.node.TaintId;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** How much of a merged declaration is written to the objects of a topology. */
public enum TopologyMode {
    /** All of it: nobody else writes taints there. */
    FULL(PropagationStep.TOPOLOGY) {
        @Override
        public List<MachineTaint> wanted(MergedTaints merged) {
            return merged.taints();
        }

        @Override
        public Set<TaintId> expected(MergedTaints merged) {
            return Set.of();
        }
    },
    /** Beside Cluster API's manager, only what it drops: there the Cluster's list replaces the ClusterClass's. */
    COMPLETE(PropagationStep.COMPLETED_TOPOLOGY) {
        @Override
        public List<MachineTaint> wanted(MergedTaints merged) {
            return merged.dropped().taints();
        }

        @Override
        public Set<TaintId> expected(MergedTaints merged) {
            return merged.taints().stream().map(MachineTaint::id).collect(Collectors.toSet());
        }
    };

    private final PropagationStep step;

    TopologyMode(PropagationStep step) {
        this.step = step;
    }

    /** What is to be written to one object. */
    public abstract List<MachineTaint> wanted(MergedTaints merged);

    /** What is declared and somebody else may be about to write: ours of these stay until they have. */
    public abstract Set<TaintId> expected(MergedTaints merged);

    /** As what it is written. */
    public PropagationStep step() {
        return step;
    }
}
