package io.nodeward.controller.admission;

import io.nodeward.core.runtime.https.Rollover.Certified;
import java.util.Optional;

/** Where the webhook's key and certificate come from. */
interface KeySource {
    /**
     * What is there now; empty if there is nothing that can be used, which has been said.
     *
     * @param renew whether it may be renewed, should that be due: callers trust what they must for the next step
     */
    Optional<Certified> current(boolean renew);
}
