package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.StatusPatch;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.HomeCluster.OwnKind;
import io.nodeward.core.runtime.controller.Controller;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Reports on objects of Nodeward's own kinds the right that their controller waits for at the start. Without it the controller has not
 * started, or may not write, and the status would stay empty: the condition {@value Condition#READY} is {@code Unknown} and says which.
 * It has a field manager of its own, so that it takes away nothing of the rest of the status, and gives the condition back when the
 * right is there.
 */
public final class MissingRights {
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** A right that is granted beside the start of the process is not reported. */
    private static final int LOOKS = 3;
    private static final String MANAGER = "nodeward-missing-rights";
    private static final String OWN_KINDS = "/apis/nodeward.io/";
    private static final String WAITING = "waiting: ";

    private final HomeCluster home;
    private final WritePause pause;
    private final InstantSource clock;
    private final Timers timers;
    private final boolean writes;
    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(MissingRights.class));
    /** In how many looks in a row a kind has waited, by its plural. */
    private final Map<String, Integer> waiting = new HashMap<>();
    /** By plural, the objects that have shown a report: this process or one before it has a claim on their condition. */
    private final Map<String, Set<ObjectKey>> claimed = new ConcurrentHashMap<>();
    private @Nullable Future<?> looking;

    /** @param writes false: report nothing */
    public MissingRights(HomeCluster home, WritePause pause, InstantSource clock, Timers timers, boolean writes) {
        this.home = home;
        this.pause = pause;
        this.clock = clock;
        this.timers = timers;
        this.writes = writes;
    }

    /** Whether this writes the request: it says why nothing else is written, and is sent in spite of that. */
    static boolean isReport(Request request) {
        return request.method().equals("PATCH") && request.path().startsWith(OWN_KINDS)
                && request.path().contains("/status?") && request.path().contains("fieldManager=" + MANAGER);
    }

    /** Looks until all that is served has been seen, controllers may write, and no condition is claimed any more. */
    public synchronized void start(Collection<Controller> controllers) {
        if (writes) {
            home.ownKinds().forEach(this::watchClaims);
            looking = timers.every(EVERY, () -> Thread.ofVirtual().name("nodeward-missing-rights")
                    .start(() -> look(controllers)));
        }
    }

    /** Before the controller that reads the object starts and writes over it. */
    private void watchClaims(OwnKind kind) {
        kind.cache().subscribe((before, after) -> {
            if (after != null && isReported(after)) {
                claims(kind).add(after.key());
            } else if (after == null && before != null) {
                claims(kind).remove(before.key());
            }
        });
    }

    private Set<ObjectKey> claims(OwnKind kind) {
        return claimed.computeIfAbsent(kind.definition().plural(), plural -> ConcurrentHashMap.newKeySet());
    }

    synchronized void look(Collection<Controller> controllers) {
        boolean over = !pause.isUnknown() && home.unsynced().isEmpty();
        try {
            home.ownKinds().forEach(kind -> look(kind, controllers));
        } catch (ApiFailure.NotLeading standby) {
            return; // the leader reports, and a process that takes over looks again
        } catch (ApiFailure failure) { // what is refused for one object is for the next; the next look tries again
            log.warn("missing rights", String.valueOf(failure.getMessage()));
            return;
        }
        Future<?> task = looking;
        if (over && task != null && claimed.values().stream().allMatch(Set::isEmpty)) {
            task.cancel(false);
        }
    }

    private void look(OwnKind kind, Collection<Controller> controllers) {
        Optional<String> missing = kind.cache().synced() ? missing(kind.cache(), controllers) : Optional.empty();
        String plural = kind.definition().plural();
        int looks = missing.isEmpty() ? 0 : waiting.getOrDefault(plural, 0) + 1;
        waiting.put(plural, looks);
        if (missing.isEmpty()) {
            claims(kind).forEach(key -> giveBack(kind, key));
        } else if (looks >= LOOKS) {
            kind.cache().all().forEach(object -> report(kind, object, missing.get()));
        }
    }

    /** Of controllers that read the kind, one that has started reports by itself. */
    private Optional<String> missing(ObjectCache<?> kind, Collection<Controller> controllers) {
        Optional<String> unreadable = pause.unreadable();
        if (unreadable.isPresent()) {
            return unreadable;
        }
        List<List<ObjectCache<?>>> reads = controllers.stream().map(Controller::reads)
                .filter(caches -> caches.contains(kind)).toList();
        return reads.stream().anyMatch(caches -> caches.stream().allMatch(ObjectCache::synced))
                ? Optional.empty()
                : reads.stream().flatMap(caches -> home.missingRight(caches).stream()).findFirst();
    }

    private static Optional<Condition> ready(CustomResource<?> object) {
        return object.conditions().stream().filter(one -> one.type().equals(Condition.READY)).findFirst();
    }

    private static boolean isReported(CustomResource<?> object) {
        return ready(object).filter(one -> one.status().equals(Condition.UNKNOWN)
                && one.reason().equals(Reason.WAITING.text()) && one.message().startsWith(WAITING)).isPresent();
    }

    /** A condition that has been reported and says something else now is another writer's, such as a replica that has the right. */
    private void report(OwnKind kind, CustomResource<?> object, String text) {
        Optional<Condition> present = ready(object);
        Condition wanted = new Condition(Condition.READY, Condition.UNKNOWN, Reason.WAITING.text(), WAITING + text,
                present.filter(condition -> condition.status().equals(Condition.UNKNOWN)).map(Condition::since)
                        .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS)),
                object.generation());
        boolean another = claims(kind).contains(object.key()) && !isReported(object);
        if (another || present.filter(wanted::equals).isPresent() || object.metadata().deleting()) {
            return;
        }
        if (apply(kind, object, List.of(wanted))) {
            claims(kind).add(object.key());
            log.warn(kind.definition().kind() + " " + object.key(), text);
        }
    }

    private void giveBack(OwnKind kind, ObjectKey key) {
        Optional<? extends CustomResource<?>> object = kind.cache().get(key);
        if (object.isEmpty() || apply(kind, object.get(), List.of())) {
            claims(kind).remove(key);
            log.forget(kind.definition().kind() + " " + key);
        }
    }

    /** Returns whether the object has these conditions of this field manager now, or is gone; if not, it has a newer version. */
    private boolean apply(OwnKind kind, CustomResource<?> object, List<Condition> conditions) {
        Target target = Target.of(kind.definition(), object);
        try {
            home.server().patchStatus(target.resource(), object.key(), Patch.apply(
                    StatusPatch.of(target.regarding(), false, conditions, Map.of()), MANAGER, true));
            return true;
        } catch (ApiFailure.Conflict newer) {
            return false;
        } catch (ApiFailure.NotFound | ApiFailure.NotServed gone) {
            return true;
        }
    }
}
