package io.nodeward.controller.admission;

/** What the room sees to, each for itself. */
enum Duty {
    /** That the webhook is served, with a certificate that is good. */
    CERTIFICATE,
    /** That API servers ask it, or judge by policies. */
    REGISTRATION,
    /** That nothing is left of another way of doing so. */
    LEFTOVERS
}
