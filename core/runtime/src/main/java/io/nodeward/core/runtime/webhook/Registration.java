package io.nodeward.core.runtime.webhook;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Objects by which API servers know what to ask, or how to decide, as they are wanted for as long as a pass takes. */
interface Registration {
    /** Makes them what they should be. */
    Ensured ensure();

    /** All objects that it needs. */
    Set<Needed> needed();

    /** An object that must not be deleted. */
    record Needed(Resource kind, ObjectKey key) {}

    /**
     * What became of one object or of several.
     *
     * @param inForce whether all of them are as they should be
     * @param accepted whether all of them were accepted; in a dry run, whether they would have been sent
     * @param settled whether what did the work before may go: something of it was accepted, or nothing is needed. That
     *     one of many is refused keeps nothing of the others. A kind that is not served is as good as accepted
     */
    record Ensured(boolean inForce, boolean accepted, boolean settled, Result result) {
        /** As it should be; in a dry run, as it would be. */
        static Ensured accepted(boolean inForce) {
            return new Ensured(inForce, true, true, Result.done());
        }

        static Ensured notYet(boolean settled, Duration left, String awaited) {
            return new Ensured(false, false, settled, Result.requeueAfter(left, awaited));
        }

        static Ensured of(List<Ensured> parts) {
            return new Ensured(parts.stream().allMatch(Ensured::inForce), parts.stream().allMatch(Ensured::accepted),
                    parts.isEmpty() || parts.stream().anyMatch(Ensured::settled),
                    parts.stream().map(Ensured::result).reduce(Result.done(), Result::first));
        }

        /** Of both, what is to be done earlier or waited for. */
        Ensured and(Ensured other) {
            return new Ensured(inForce && other.inForce, accepted && other.accepted, settled && other.settled,
                    Result.first(result, other.result));
        }
    }
}
