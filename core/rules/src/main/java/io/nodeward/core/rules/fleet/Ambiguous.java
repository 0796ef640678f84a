package io.nodeward.core.rules.fleet;

import io.nodeward.api.meta.Reason;

/**
 * What keeps a Node from being matched until somebody puts it right: several objects claim what only one can have, or an object
 * is too long to be known whole.
 *
 * @param reason of a condition
 * @param message which objects, and what follows
 */
public record Ambiguous(Reason reason, String message) implements MachineMatch, PoolMatch {
    static Ambiguous providerId(String message) {
        return new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE, message);
    }

    static Ambiguous metadata(String message) {
        return new Ambiguous(Reason.METADATA_TOO_LONG, message);
    }

    static Ambiguous node(String message) {
        return new Ambiguous(Reason.NODE_CLAIMED_TWICE, message);
    }
}
