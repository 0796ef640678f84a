package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.StatusPatch;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.CustomResourceDefinition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.cache.ObjectCache;
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
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Reports on objects of Nodeward's own kinds the right that their controller waits for at the start. Without it the controller has not
 * started, or may not write, and the status would stay empty: the condition {@value Condition#READY} is {@code Unknown} and says which.
 * It has a field manager of its own, so that it takes away nothing of the rest of the status.
 */
public final class MissingRights {
    private static final Duration EVERY = Duration.ofSeconds(10);
    /** A right that is granted beside the start of the process is not reported. */
    private static final int LOOKS = 3;
    private static final String MANAGER = "nodeward-missing-rights";
    private static final String OWN_KINDS = "/apis/nodeward.io/";

    private final HomeCluster home;
    private final WritePause pause;
    private final InstantSource clock;
    private final Timers timers;
    private final boolean writes;
    private final LogOnce log = new LogOnce(LoggerFactory.getLogger(MissingRights.class));
    /** In how many looks in a row a kind has waited, by its plural. */
    private final Map<String, Integer> waiting = new HashMap<>();
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

    /** Looks until all controllers have started and may write. */
    public synchronized void start(Collection<Controller> controllers) {
        if (writes) {
            looking = timers.every(EVERY, () -> Thread.ofVirtual().name("nodeward-missing-rights")
                    .start(() -> look(controllers)));
        }
    }

    synchronized void look(Collection<Controller> controllers) {
        Future<?> task = looking;
        if (task != null && !pause.isUnknown()
                && controllers.stream().flatMap(each -> each.reads().stream()).allMatch(ObjectCache::synced)) {
            task.cancel(false);
            return;
        }
        home.ownKinds().forEach(kind -> {
            Optional<String> missing = kind.cache().synced() ? missing(kind.cache(), controllers) : Optional.empty();
            String plural = kind.definition().plural();
            int looks = missing.isEmpty() ? 0 : waiting.getOrDefault(plural, 0) + 1;
            waiting.put(plural, looks);
            missing.filter(any -> looks >= LOOKS)
                    .ifPresent(text -> kind.cache().all().forEach(object -> report(kind.definition(), object, text)));
        });
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

    private void report(CustomResourceDefinition definition, CustomResource<?> object, String text) {
        Target target = Target.of(definition, object);
        Optional<Condition> present = object.conditions().stream()
                .filter(condition -> condition.type().equals(Condition.READY)).findFirst();
        Condition wanted = new Condition(Condition.READY, Condition.UNKNOWN, Reason.WAITING.text(), "waiting: " + text,
                present.filter(condition -> condition.status().equals(Condition.UNKNOWN)).map(Condition::since)
                        .orElseGet(() -> clock.instant().truncatedTo(ChronoUnit.SECONDS)),
                object.generation());
        if (present.filter(wanted::equals).isPresent() || object.metadata().deleting()) {
            return;
        }
        String about = definition.kind() + " " + object.key();
        try {
            home.server().patchStatus(target.resource(), object.key(), Patch.apply(
                    StatusPatch.of(target.regarding(), false, List.of(wanted), Map.of()), MANAGER, true));
            log.warn(about, text);
        } catch (ApiFailure failure) { // the next look tries again
            log.warn(about, String.valueOf(failure.getMessage()));
        }
    }
}
