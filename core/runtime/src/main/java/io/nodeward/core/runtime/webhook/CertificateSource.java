package io.nodeward.core.runtime.webhook;

import io.nodeward.core.runtime.https.Rollover.Certified;
import java.util.Optional;

/** Where the key and the certificate of the server come from. */
interface CertificateSource {
    /**
     * What is there now; empty if there is nothing that can be used, which has been logged.
     *
     * @param renew whether it may be renewed, should that be due: callers trust what they must for the next step
     */
    Optional<Certified> current(boolean renew);

    /** Returns what is stored, whatever is due; empty if there is nothing that can be used. */
    default Optional<Certified> stored() {
        return Optional.empty();
    }
}
