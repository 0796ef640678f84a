package io.nodeward.e2e.machine;

import io.nodeward.e2e.controlplane.AuditRequest;

/** Objects by which the controller shows that it has seen what was done to others of their kinds before. */
public interface Canary {
    /** Changes them and waits for the controller's answer: it gets the changes of a kind in their order. */
    void awaitSeen();

    /** Whether it is such an answer, which counts as nothing. */
    boolean isAnswer(AuditRequest request);
}
