package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.Reason;

/**
 * What another controller is expected to do with each member of an owner. It blocks the owner once it has taken too long.
 *
 * @param before beginning of the message, before the members and since when each waits
 * @param after end of the message
 */
public record Awaited(Reason reason, String before, String after) {
    Blocked of(String members) {
        return new Blocked(reason, before + members + after);
    }
}
