package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.Optional;
import java.util.Set;

/** Claims of devices and their templates as the caches hold them. */
record CachedClaims(ObjectCache<ClaimedClasses> claims, ObjectCache<ClaimedClasses> templates) implements ClaimView {
    @Override
    public Optional<Set<String>> deviceClasses(PodClaim claim) {
        return (claim.template() ? templates : claims).get(claim.key()).map(ClaimedClasses::deviceClasses);
    }
}
