package io.nodeward.core.runtime.cluster;

/**
 * The API server did not say in time what an answer depends on, or is asked for too much of it at once. A tenant can bring this about,
 * so a validating webhook refuses the object, whatever its failure policy.
 */
public final class StateUnavailable extends IllegalStateException {
    public StateUnavailable(String message) {
        super(message);
    }
}
