package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Status;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;

/** The version of an object that somebody else has written. A change that meets it is planned anew, from that version. */
final class NewerVersion {
    /** How long a write takes to come through the watch, at most. */
    static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private NewerVersion() {}

    /**
     * The cache has it already: the server would refuse the change, which is not sent.
     *
     * @param change what is not sent, with its object
     */
    static Applied held(String change, String message) {
        return new Applied.Outdated(ApiFailure.of(new Status(409, "Conflict", message, 0), change, Optional.empty()));
    }

    /**
     * Waits until the watch has brought another version than {@code before}.
     *
     * @throws ApiFailure.Conflict if none comes: the queue waits longer
     */
    static <T extends KubernetesObject> Applied await(ObjectCache<T> cache, T before, ApiFailure.Conflict conflict) {
        return await(cache, before, KubernetesObject::sameVersion, conflict, () -> {
            throw conflict;
        });
    }

    /**
     * Likewise.
     *
     * @param same what would be refused as {@code before} was
     * @param read brings the newer version into the cache if the watch has not
     */
    static <T extends KubernetesObject> Applied await(
            ObjectCache<T> cache,
            T before,
            BiPredicate<? super T, ? super T> same,
            ApiFailure.Conflict conflict,
            Runnable read) {
        try {
            Optional<T> held = cache.awaitOther(before, same, WATCH_DELAY);
            if (held.isPresent() && same.test(held.get(), before)) {
                read.run();
            }
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw conflict;
        }
        return cache.get(before.key()).isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
    }
}
