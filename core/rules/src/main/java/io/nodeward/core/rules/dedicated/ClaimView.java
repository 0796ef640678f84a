package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.PodClaim;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/** The claims of devices and their templates, as far as they are known. */
@FunctionalInterface
public interface ClaimView {
    /** Without any. */
    ClaimView NONE = claim -> Optional.empty();

    /** Its requests, each by the DeviceClasses of its alternatives; empty if the claim is not known yet. */
    Optional<Set<Set<String>>> requests(PodClaim claim);

    /** Returns this view with these claims as the other view has them. */
    default ClaimView with(Collection<PodClaim> claims, ClaimView other) {
        return claim -> (claims.contains(claim) ? other : this).requests(claim);
    }

    /** Returns whether all claims have been listed: then one that is not known does not exist. */
    default boolean listed() {
        return true;
    }
}
