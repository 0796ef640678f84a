package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import org.jspecify.annotations.Nullable;

/** Until when a Node counts as new, so that it gets the taints declared with {@code OnInitialization}. */
public enum Initialization {
    /** Until the first write, which leaves the tracking annotation: as Cluster API does it. */
    WHEN_UNTRACKED {
        @Override
        public boolean isOver(Node node, @Nullable String tracking) {
            return tracking != null;
        }
    },
    /**
     * While it still has the initialization taint too: propagation that is switched on in a running fleet puts none of
     * them on Nodes that have worked for months. Nodes that never have it, as control planes, never get them.
     */
    WHEN_UNINITIALIZED {
        @Override
        public boolean isOver(Node node, @Nullable String tracking) {
            if (tracking != null) {
                return true;
            }
            for (Taint taint : node.taints()) {
                if (isUninitialized(taint)) {
                    return false;
                }
            }
            return true;
        }
    },
    /** Not over, although the Node shows that it is: the taints are set once more. For the case that {@link InitialTaints} finds. */
    ONCE_MORE {
        @Override
        public boolean isOver(Node node, @Nullable String tracking) {
            return false;
        }
    };

    private static final String EFFECT = "NoSchedule";

    /** Whether a Node with this tracking annotation, null if it has none, is no longer new. */
    public abstract boolean isOver(Node node, @Nullable String tracking);

    /** Whether this is the taint a worker registers with. */
    static boolean isUninitialized(Taint taint) {
        return taint.key().equals(ClusterApi.UNINITIALIZED_TAINT) && taint.effect().equals(EFFECT);
    }
}
