package io.nodeward.core.runtime.webhook;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.runtime.cluster.HomeCluster;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.webhook.Registration.Needed;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.DeleteOptions;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes the objects that a component has made and that no controller needs any more. They have all labels of the component. */
final class GarbageCollector {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);
    private static final int PAGE = 500;
    /** The time until another look, for objects that a process has put back while it was being replaced. */
    private static final Duration ONCE_MORE = Duration.ofMinutes(1);
    /** How often an object is deleted. One that comes back after that belongs to a process that stays. */
    private static final int TIMES = 2;

    private final HomeCluster home;
    private final Labelled objects;
    private final boolean writes;
    private final LogOnce log = new LogOnce(LOG);
    /** How often in a row each object that was found has been deleted. */
    private final Map<String, Integer> deleted = new ConcurrentHashMap<>();

    private record Found(Resource kind, PartialObject object) {
        ObjectKey key() {
            return object.key();
        }

        /** Returns the kind and name, for logs. */
        String text() {
            return kind.plural() + " " + key();
        }
    }

    /** @param writes false: only log */
    GarbageCollector(HomeCluster home, Labelled objects, boolean writes) {
        this.home = home;
        this.objects = objects;
        this.writes = writes;
    }

    /** Deletes all objects but those that are needed, and asks for another look in a minute if it found any. */
    Result collect(Supplier<Set<Needed>> needed) {
        return again(remove(needed));
    }

    /** Deletes all objects of a component that does not run, and asks for another look in a minute if it found any. */
    Result collectAll() {
        return again(removeAll());
    }

    private static Result again(int removed) {
        return removed == 0
                ? Result.done()
                : Result.requeueAfter(ONCE_MORE, "a process that was being replaced to put it back");
    }

    /**
     * Deletes all objects but those that are needed and those that came back twice, as another process needs these.
     *
     * @param needed asked once all is listed: what is registered meanwhile is needed
     * @return how many were deleted, or have changed since they were listed and are to be looked at again
     */
    int remove(Supplier<Set<Needed>> needed) {
        return remove(needed, false);
    }

    /** Deletes all objects of a component that does not run. The log says how to delete them by hand. */
    int removeAll() {
        return remove(Set::of, true);
    }

    private int remove(Supplier<Set<Needed>> needed, boolean all) {
        List<Found> there = new ArrayList<>();
        Optional<ApiFailure.Forbidden> forbidden = list(there);
        Set<Needed> kept = needed.get();
        Set<String> found = new HashSet<>();
        int count = 0;
        for (Found each : there) {
            if (!kept.contains(new Needed(each.kind(), each.key())) && found.add(each.text())) {
                count += remove(each) ? 1 : 0;
            }
        }
        forbidden.ifPresent(failure -> sayHow(failure, all));
        deleted.keySet().retainAll(found);
        return count;
    }

    /**
     * Returns the objects that are still there and have effect on API servers, which a Secret does not.
     *
     * @throws ApiFailure.Forbidden if they may not be listed
     */
    List<String> left() {
        List<Found> there = new ArrayList<>();
        Optional<ApiFailure.Forbidden> forbidden = list(there);
        if (forbidden.isPresent()) {
            throw forbidden.get();
        }
        return there.stream().filter(each -> !each.kind().equals(Resources.SECRETS)).map(Found::text).toList();
    }

    /** Lists each kind up to the first that may not be listed and is not optional, as one role has the rights to all. */
    private Optional<ApiFailure.Forbidden> list(List<Found> there) {
        for (Resource resource : objects.kinds()) {
            try {
                there.addAll(list(resource));
            } catch (ApiFailure.Forbidden forbidden) {
                if (!objects.optional().contains(resource)) {
                    return Optional.of(forbidden);
                }
                LOG.debug("{} are not looked for: {}", resource.plural(), forbidden.getMessage());
            }
        }
        return Optional.empty();
    }

    private boolean remove(Found found) {
        String what = found.text();
        if (deleted.getOrDefault(what, 0) >= TIMES) {
            log.warn(what,
                    "it came back twice, as another Nodeward has the gate on, and stays (give one of them another"
                            + " --watch-filter, or a ServiceAccount of its own)");
            return false;
        }
        try {
            boolean done = delete(found, what);
            if (done) {
                deleted.merge(what, 1, Integer::sum);
            }
            return done;
        } catch (ApiFailure.Conflict newer) {
            LOG.debug("{} has changed since it was listed: {}", what, newer.getMessage());
            return true;
        }
    }

    private List<Found> list(Resource resource) {
        ListOptions all = ListOptions.page(objects.selector(), PAGE, "").withMetadataOnly();
        try {
            return list(resource, "", all);
        } catch (ApiFailure.Forbidden forbidden) {
            if (!resource.equals(Resources.SECRETS) || objects.secret().isEmpty()) {
                throw forbidden;
            }
            ObjectKey secret = objects.secret().get();
            return list(resource, secret.namespace(), all.withName(secret.name()));
        }
    }

    private List<Found> list(Resource resource, String namespace, ListOptions options) {
        List<Found> labelled = new ArrayList<>();
        try {
            home.list(resource, namespace, options, Projection.METADATA, object -> {
                Found found = new Found(resource, object);
                if (objects.has(object.metadata().labels()) && isOwn(found)) {
                    labelled.add(found);
                }
            });
        } catch (ApiFailure.NotServed old) {
            LOG.debug("{} are not served here", resource.plural());
        }
        return labelled;
    }

    private boolean isOwn(Found found) {
        boolean own = objects.isOwn(found.object().metadata().annotations());
        if (!own) {
            log.info(found.text(), "it stays: by its annotations, a Nodeward with another Service, or with"
                    + " none, has registered it");
        }
        return own;
    }

    /**
     * Logs how to look for objects that are left. A webhook with the policy Fail that no process serves keeps all users from writing.
     *
     * @param all whether all objects of the component may be deleted by hand
     */
    private void sayHow(ApiFailure.Forbidden forbidden, boolean all) {
        LOG.debug("objects that no controller needs are not looked for: {}", forbidden.getMessage());
        if (all) {
            log.info(objects.component(), "whether it has left anything behind may not be asked ("
                    + forbidden.getMessage() + "); if it was ever on: " + objects.deletionByHand());
        }
    }

    /** @throws ApiFailure.Conflict if it has changed since it was listed: it may be another component's by now */
    private boolean delete(Found found, String what) {
        if (!writes) {
            LOG.info("deleting {}, which no controller needs any more (dry run)", what);
            return false;
        }
        try {
            home.server().delete(found.kind(), found.key(), DeleteOptions.only(found.object().metadata()));
            LOG.info("deleted {}, which no controller needs any more", what);
        } catch (ApiFailure.NotFound gone) {
            LOG.debug("{} is gone already", what);
        } catch (ApiFailure.Forbidden forbidden) {
            log.warn(what, forbidden.getMessage() + "; delete it yourself");
            return false;
        }
        return true;
    }
}
