package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.dedicated.DedicatedConfig.FailurePolicy;
import io.nodeward.core.rules.dedicated.ClaimView;
import io.nodeward.core.runtime.cache.CacheSync;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.informer.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Claims of devices and their templates as the caches hold them; nobody waits for these, as a server may not have the kinds. */
record CachedClaims(ObjectCache<ClaimedClasses> claims, ObjectCache<ClaimedClasses> templates) implements ClaimView {
    private static final String GROUP = "resource.k8s.io";

    /** Watches both kinds. */
    static CachedClaims watched(HomeCluster home) {
        return new CachedClaims(
                home.watch(Resources.namespaced(GROUP, "v1", plural(false)), ClaimedClasses.OF_CLAIM),
                home.watch(Resources.namespaced(GROUP, "v1", plural(true)), ClaimedClasses.OF_TEMPLATE));
    }

    /** Asks the API server. */
    static Optional<ClaimedClasses> read(HomeCluster home, PodClaim claim) {
        return home.read(Resources.namespaced(GROUP, "v1", plural(claim.template())),
                claim.template() ? ClaimedClasses.OF_TEMPLATE : ClaimedClasses.OF_CLAIM, claim.key());
    }

    private static String plural(boolean template) {
        return template ? "resourceclaimtemplates" : "resourceclaims";
    }

    /** Returns those of a cluster whose claims are not watched: none is ever known. */
    static CachedClaims unwatched() {
        return new CachedClaims(new ObjectCache<>(), new ObjectCache<>());
    }

    @Override
    public Optional<Set<Set<String>>> requests(PodClaim claim) {
        return (claim.template() ? templates : claims).get(claim.key()).map(ClaimedClasses::requests);
    }

    /** Returns whether all that was there at the start is known. */
    @Override
    public boolean listed() {
        return CacheSync.isSynced(List.of(claims, templates));
    }

    /**
     * Fails a review that depends on claims while they are not known. Where the failure policy is {@code Ignore}, a pod
     * gets what is certain: an answer that fails would take that from it, too.
     *
     * @param reviewed the kind and the key of the object under review, for the error
     * @throws IllegalStateException if the claims were not listed yet, and the failure policy is {@code Fail}
     */
    void require(FailurePolicy failurePolicy, String reviewed) {
        if (failurePolicy == FailurePolicy.Fail && !listed()) {
            throw new IllegalStateException("ResourceClaims and ResourceClaimTemplates have not been listed yet: the"
                    + " failure policy refuses " + reviewed);
        }
    }

    /** Calls the listener with each claim whose requests have changed, and with an empty key when all have been listed. */
    void whenChanged(Consumer<ObjectKey> listener) {
        for (ObjectCache<ClaimedClasses> cache : List.of(claims, templates)) {
            cache.subscribe((before, after) -> {
                if (MapFunction.differs(before, after, ClaimedClasses::requests)) {
                    listener.accept(MapFunction.latest(before, after).key());
                }
            });
            cache.whenSynced(() -> listener.accept(new ObjectKey("", "")));
        }
    }
}
