package io.nodeward.core.rules.fleet;

/**
 * Several objects claim what only one can have. Nothing is changed until somebody puts it right.
 *
 * @param reason of a condition
 * @param message which objects, and what follows
 */
public record Ambiguous(String reason, String message) implements MachineMatch, PoolMatch {
    static Ambiguous providerId(String message) {
        return new Ambiguous("ProviderIDNotUnique", message);
    }

    static Ambiguous node(String message) {
        return new Ambiguous("NodeClaimedTwice", message);
    }
}
