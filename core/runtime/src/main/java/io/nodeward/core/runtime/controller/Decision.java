package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.status.Awaited;
import io.nodeward.core.runtime.status.Target;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a reconciler wants done for one key. It is a value: {@link DecisionExecutor} alone sends and reports it. */
public sealed interface Decision {
    /**
     * The object does not exist, or is not this controller's. What is known of the key is forgotten.
     *
     * @param reason for logs
     * @param owner an object of a kind that is not our own: what its status still reports for this controller is taken away
     */
    record Gone(String reason, Optional<Target> owner) implements Decision {
        public Gone(String reason) {
            this(reason, Optional.empty());
        }
    }

    /**
     * Something must happen first, and an event will tell. Whether anything is wrong with the object is not known.
     *
     * @param reason what is waited for
     * @param owner the object whose status shows it, if it lasts and the kind is our own; on others it only ends what was
     *     blocked
     */
    record Waiting(String reason, Optional<Target> owner) implements Decision {
        public Waiting(String reason) {
            this(reason, Optional.empty());
        }
    }

    /**
     * Nothing can be done until somebody fixes something.
     *
     * @param owner the object whose status shows it
     * @param event whether an Event reports it at once, and not only a condition if it lasts
     * @param recheck when to decide anew although no event may tell that it is time
     */
    record Blocked(
            Target owner, io.nodeward.core.runtime.status.Blocked by, boolean event,
            Optional<Result.RequeueAfter> recheck) implements Decision {
        /** Time alone makes no difference: an event tells when a user has corrected it. */
        public Blocked(Target owner, io.nodeward.core.runtime.status.Blocked by, boolean event) {
            this(owner, by, event, Optional.empty());
        }
    }

    /**
     * What the owner declares is in effect, and needs no change of any object.
     *
     * @param findings what was left out
     * @param recheck when to decide anew although no event may tell that it is time
     */
    record InEffect(Target owner, List<Finding> findings, Optional<Result.RequeueAfter> recheck) implements Decision {
        /** A copy of what is given. */
        public InEffect {
            findings = List.copyOf(findings);
        }

        /** No time makes a difference: an event tells when something has changed. */
        public InEffect(Target owner, List<Finding> findings) {
            this(owner, findings, Optional.empty());
        }
    }

    /**
     * The object is to be as the change says; an empty change means that it is.
     *
     * @param owner the object whose status shows what comes of it
     * @param declared what the change is for, compared by value: writes for one declaration are limited
     * @param findings what the plan left out or repaired
     * @param awaited what another controller has still to do with the object
     * @param recheck when to decide anew although no event may tell that it is time
     * @param withheld whether a limit keeps back a part of what is declared: the change, made, leaves the object without it
     */
    record Change(
            Target owner,
            ObjectChange change,
            Object declared,
            List<Finding> findings,
            Optional<Awaited> awaited,
            Optional<Result.RequeueAfter> recheck,
            boolean withheld)
            implements Decision {
        public Change {
            findings = List.copyOf(findings);
        }

        public Change(
                Target owner, ObjectChange change, Object declared, List<Finding> findings, Optional<Awaited> awaited) {
            this(owner, change, declared, findings, awaited, Optional.empty(), false);
        }

        /** Returns the same without what is withheld until then. */
        public Change withhold(ObjectChange rest, Result.RequeueAfter until) {
            return withhold(rest, new Withheld(until, Optional.empty()));
        }

        /** Returns the same without removals of taints, and with a finding if that lasts. */
        public Change withhold(ObjectChange rest, Withheld removal) {
            Stream<Finding> lasting = removal.lasting().stream()
                    .map(message -> new Finding(Reason.REMOVAL_WITHHELD.text(), message, true, false));
            return new Change(owner, rest, declared, Stream.concat(findings.stream(), lasting).toList(), awaited,
                    Optional.of(removal.until()), true);
        }
    }

    /**
     * The owner's status is to show what is known of its members.
     *
     * @param members all there are
     */
    record Summary(Target owner, Set<String> members) implements Decision {
        public Summary {
            members = Set.copyOf(members);
        }
    }
}
