package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Objects by which API servers know what to ask, or how to decide. */
interface Registration {
    /** The same, of what is wanted now: that stays what it is for as long as a pass takes. */
    default Registration now() {
        return this;
    }

    /** Makes them what they should be. */
    Ensured ensure();

    /** All objects that it needs. */
    Map<Resource, Set<ObjectKey>> needed();

    /**
     * What became of them.
     *
     * @param inForce whether all of them are as they should be
     * @param settled whether what did the work before may go: something of it was accepted, or nothing is needed. That
     *     one of many is refused keeps nothing of the others. A kind that is not served is as good as accepted
     */
    record Ensured(boolean inForce, boolean settled, Result result) {
        /** Between looks at what no event tells: that the API server was upgraded, or an unmanaged object is gone. */
        private static final Duration LOOK = Duration.ofMinutes(5);

        /** A refused write may be taken later: somebody's policy or role may change. */
        private static final Duration REFUSED = Duration.ofMinutes(1);

        static Ensured of(List<Registrar.Result> results) {
            boolean inForce = results.stream().allMatch(Registrar.Result.InForce.class::isInstance);
            boolean settled = results.isEmpty() || results.stream().anyMatch(Ensured::isSettled);
            return new Ensured(inForce, settled,
                    results.stream().map(Ensured::next).reduce(Result.done(), Ensured::first));
        }

        private static boolean isSettled(Registrar.Result result) {
            return result instanceof Registrar.Result.InForce || result instanceof Registrar.Result.DryRun
                    || result instanceof Registrar.Result.NotServed;
        }

        private static Result next(Registrar.Result result) {
            return switch (result) {
                case Registrar.Result.InForce done -> Result.done();
                case Registrar.Result.DryRun done -> Result.done();
                case Registrar.Result.HeldBack(Duration left) ->
                        Result.requeueAfter(left, "others to stop changing it");
                // It has not the labels that are watched: no event tells that it has gone.
                case Registrar.Result.Unmanaged other ->
                        Result.requeueAfter(Timers.jittered(LOOK), "an object of somebody else to go");
                case Registrar.Result.Refused(String message) ->
                        Result.requeueAfter(Timers.jittered(REFUSED), "what was refused to be taken: " + message);
                case Registrar.Result.NotServed old ->
                        Result.requeueAfter(Timers.jittered(LOOK), "the API server to serve its kind");
            };
        }

        /** Of both, what is to be done earlier or waited for. */
        Ensured and(Ensured other) {
            return new Ensured(inForce && other.inForce, settled && other.settled, first(result, other.result));
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
