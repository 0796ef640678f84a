package io.nodeward.core.runtime.cluster;

import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.HeapBudget;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** How much is kept of the Nodes of one cluster. Whoever runs that cluster must not fill the memory of all. */
final class KeptState implements ChangeListener<Node> {
    private final long largest;
    private final HeapBudget budget;
    private final String account;
    private final Runnable exceeded;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean tooLarge = new AtomicBoolean();

    /**
     * @param largest bytes of this cluster
     * @param budget of all clusters, in which this one has {@code account}
     * @param exceeded run once, when it is more than either allows; it must not block
     */
    KeptState(long largest, HeapBudget budget, String account, Runnable exceeded) {
        this.largest = largest;
        this.budget = budget;
        this.account = account;
        this.exceeded = exceeded;
    }

    @Override
    public void changed(@Nullable Node before, @Nullable Node after) {
        long change = (after == null ? 0 : after.heapBytes()) - (before == null ? 0 : before.heapBytes());
        boolean fits = budget.fitsCluster(account, change);
        budget.addCluster(account, change);
        if ((bytes.addAndGet(change) > largest || !fits) && tooLarge.compareAndSet(false, true)) {
            exceeded.run();
        }
    }

    /** The Nodes are not kept any more. */
    void release() {
        budget.addCluster(account, -bytes.getAndSet(0));
    }

    /** Whether it ever was. */
    boolean tooLarge() {
        return tooLarge.get();
    }
}
