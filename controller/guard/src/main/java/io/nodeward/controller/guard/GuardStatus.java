package io.nodeward.controller.guard;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.status.Outcome;
import io.nodeward.core.runtime.status.StatusReporter;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.Optional;

/** Reports no guard as in effect of which one object has been written and the other has not. */
record GuardStatus(StatusReporter<ObjectKey> status, GuardReconciler reconciler) implements StatusReporter<ObjectKey> {
    @Override
    public Duration report(ObjectKey key, Target target, Outcome outcome) {
        boolean early = outcome instanceof Outcome.InEffect && reconciler.reconcile(key) instanceof Decision.Change;
        return status.report(key, target,
                early ? new Outcome.Waiting("its admission policy and the binding to be written") : outcome);
    }

    @Override
    public void unknown(ObjectKey key) {
        status.unknown(key);
    }

    @Override
    public void forget(ObjectKey key) {
        status.forget(key);
    }

    @Override
    public boolean isOutdated(Target target) {
        return status.isOutdated(target);
    }

    @Override
    public Optional<Backoff> afterRefusal() {
        return status.afterRefusal();
    }
}
