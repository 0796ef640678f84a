package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Objects by which API servers know what to ask, or how to decide. */
interface Registration {
    /** Makes them what they should be. */
    Ensured ensure();

    /** All objects that it needs. */
    Map<Resource, Set<ObjectKey>> needed();

    /**
     * What became of them.
     *
     * @param inForce whether all of them are as they should be
     */
    record Ensured(boolean inForce, Result outcome) {
        /** Between looks at whether the API server was upgraded. */
        private static final Duration UPGRADE = Duration.ofMinutes(5);

        static Ensured of(List<Registrar.Result> results) {
            boolean inForce = results.stream().allMatch(Registrar.Result.InForce.class::isInstance);
            Optional<Duration> held = results.stream()
                    .filter(Registrar.Result.HeldBack.class::isInstance)
                    .map(result -> ((Registrar.Result.HeldBack) result).left())
                    .max(Duration::compareTo);
            if (held.isPresent()) {
                return new Ensured(inForce, Result.requeueAfter(held.get(), "others to stop changing it"));
            }
            return new Ensured(inForce, results.stream().anyMatch(Registrar.Result.NotServed.class::isInstance)
                    ? Result.requeueAfter(Timers.jittered(UPGRADE), "the API server to serve its kind")
                    : Result.done());
        }

        /** Of both, what is to be done earlier or waited for. */
        Ensured and(Ensured other) {
            return new Ensured(inForce && other.inForce, first(outcome, other.outcome));
        }

        private static Result first(Result one, Result other) {
            if (one instanceof Result.RequeueAfter(Duration after, String why)) {
                return other instanceof Result.RequeueAfter(Duration sooner, String also) && sooner.compareTo(after) < 0
                        ? other
                        : one;
            }
            return one instanceof Result.Done || other instanceof Result.RequeueAfter ? other : one;
        }
    }
}
