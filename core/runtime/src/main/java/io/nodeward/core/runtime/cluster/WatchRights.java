package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.spi.ApiFailure;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whether the right to watch a kind is missing. It may come and go while the watch is tried again. */
final class WatchRights implements ReflectorListener {
    private final AtomicBoolean missing = new AtomicBoolean();
    private final Runnable changed;

    /** @param changed must not block */
    WatchRights(Runnable changed) {
        this.changed = changed;
    }

    boolean missing() {
        return missing.get();
    }

    @Override
    public void failed(ApiFailure failure) {
        set(failure instanceof ApiFailure.Forbidden);
    }

    @Override
    public void following() {
        set(false);
    }

    private void set(boolean value) {
        if (missing.getAndSet(value) != value) {
            changed.run();
        }
    }
}
