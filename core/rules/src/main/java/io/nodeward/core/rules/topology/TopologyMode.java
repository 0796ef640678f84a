package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;

/** How much of a merged declaration is written to the objects of a topology. */
public enum TopologyMode {
    /** All of it: nobody else writes taints there. */
    FULL(Hop.TOPOLOGY) {
        @Override
        public List<MachineTaint> wanted(MergedTaints merged) {
            return merged.taints();
        }
    },
    /** Beside Cluster API's manager, only what it drops: there the Cluster's list replaces the ClusterClass's. */
    COMPLETE(Hop.COMPLETED_TOPOLOGY) {
        @Override
        public List<MachineTaint> wanted(MergedTaints merged) {
            return merged.dropped().taints();
        }
    };

    private final Hop hop;

    TopologyMode(Hop hop) {
        this.hop = hop;
    }

    /** What is to be written to one object. */
    public abstract List<MachineTaint> wanted(MergedTaints merged);

    /** As what it is written. */
    public Hop hop() {
        return hop;
    }
}
