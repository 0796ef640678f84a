package io.nodeward.core.runtime.webhook;

/** What a component does to be asked, each task for itself. */
enum AdmissionTask {
    /** The webhooks are served, with a certificate that is good. */
    CERTIFICATE,
    /** API servers call the webhooks, and have the policies. */
    REGISTRATION,
    /** What is not needed any more is deleted. */
    GARBAGE_COLLECTION,
    /** An API server shows whether it reaches the webhooks. */
    PROBE
}
