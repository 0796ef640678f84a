package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import java.util.SortedSet;

/**
 * What to write to one object below, so that it declares what the object above it does.
 *
 * @param contests taints that are declared otherwise by somebody else, and stay so
 */
public record TaintListPlan(Write write, List<Contest> contests) {
    public TaintListPlan {
        contests = List.copyOf(contests);
    }

    /** At most one request. */
    public sealed interface Write {
        /** It is as it should be. */
        record Nothing() implements Write {}

        /**
         * Server-side apply of exactly these.
         *
         * @param force whether fields of our own taints are taken back that somebody else has set to something else
         */
        record Apply(List<MachineTaint> taints, boolean force) implements Write {
            public Apply {
                taints = List.copyOf(taints);
            }
        }

        /**
         * A merge patch of the whole list, after which another plan may be due. Server-side apply cannot take our last
         * taint out of a list that somebody else began, nor one of which somebody else set a field: the server refuses
         * what would be left. Nor can it take out a value that somebody else set as well.
         *
         * @param taints all that stay, our own and others'; empty if the list goes
         */
        record Replace(List<MachineTaint> taints) implements Write {
            public Replace {
                taints = List.copyOf(taints);
            }
        }

        /** Nothing can be written until somebody changes something; the message names whom or what. */
        record Refused(Refusal refusal, String message) implements Write {}
    }

    /** Why nothing can be written. */
    public enum Refusal {
        /** Another controller makes this step. */
        FIELD_CONFLICT,
        /** Another writer owns the list as one value: its schema does not declare it as a map. */
        OWNED_AS_A_WHOLE,
        /** With what others own there would be more than a list may hold. */
        TOO_MANY
    }

    /**
     * One taint that somebody else has put there with another value or propagation.
     *
     * @param managers who own it
     */
    public record Contest(MachineTaint wanted, MachineTaint found, SortedSet<String> managers) {
        @Override
        public String toString() {
            return "taint " + wanted.id() + " stays as declared by " + String.join(", ", managers) + " (value \""
                    + found.value() + "\", " + found.propagation() + "), wanted is value \"" + wanted.value() + "\", "
                    + wanted.propagation();
        }
    }
}
