package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintBearer;
import io.nodeward.api.machine.TaintPlace;
import io.nodeward.api.machine.TaintsChange;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.WriteLimiter;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lists of declared taints in the management cluster: each write holds on the resourceVersion it was planned from,
 * and is through when the cache has it, so that no plan is made from an older copy. None is made while somebody else
 * keeps undoing them.
 */
public final class TaintWriter {
    private static final Logger LOG = LoggerFactory.getLogger(TaintWriter.class);
    /** How long a write takes to come through the watch, at most. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);
    /** Writes of one list in a minute; more only if somebody else keeps undoing them. */
    private static final int REPAIRS = 20;
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Blocked UNDONE = new Blocked("RepairsUndone",
            "somebody keeps undoing what is declared; after " + REPAIRS + " writes in a minute the next waits");

    private final ApiServer server;
    private final boolean writes;
    private final MeterRegistry registry;
    private final WriteLimiter<Id, List<MachineTaint>> limiter = new WriteLimiter<>(REPAIRS, WINDOW);

    private record Id(Resource resource, ObjectKey key) {}

    /** @param writes false: only log */
    public TaintWriter(ApiServer server, boolean writes, MeterRegistry registry) {
        this.server = server;
        this.writes = writes;
        this.registry = registry;
        List.of("written", "conflict", "rejected", "observed").forEach(this::meter);
    }

    /**
     * A list of taints in one object.
     *
     * @param cache where its newer versions appear
     * @param found the version that was planned from
     */
    public record At(
            Resource resource, String kind, TaintPlace place, ObjectCache<TaintBearer> cache, TaintBearer found) {
        /** {@code MachineSet a}. */
        @Override
        public String toString() {
            return kind + " " + found.key().name();
        }

        private Id id() {
            return new Id(resource, found.key());
        }

        private TaintsChange change(List<MachineTaint> taints) {
            return new TaintsChange(resource.apiVersion(), kind, found.key(), found.metadata().resourceVersion(), place,
                    taints);
        }
    }

    /** How a write ended. */
    public sealed interface Ended {
        /** The list is as planned, or its object is gone. */
        record InEffect() implements Ended {}

        /**
         * Nothing was sent: what is declared has been undone too often.
         *
         * @param left how long to wait
         */
        record HeldBack(Duration left, Blocked by) implements Ended {}

        /** The object was not any more what the change was planned from; there is a newer one to plan from at once. */
        record Outdated() implements Ended {}
    }

    /**
     * Server-side apply of these taints and nothing else.
     *
     * @param force whether fields are taken back that others have set to something else
     * @throws ApiFailure for anything but an object that has changed or is gone
     */
    public Ended apply(At at, List<MachineTaint> taints, boolean force, String manager) {
        return write(at, taints, manager, Patch.apply(Bodies.apply(at.change(taints)), manager, force));
    }

    /**
     * Puts these taints in the place of all that are there.
     *
     * @throws ApiFailure for anything but an object that has changed or is gone
     */
    public Ended replace(At at, List<MachineTaint> taints, String manager) {
        return write(at, taints, manager, Patch.merge(Bodies.mergePatch(at.change(taints)), manager));
    }

    private Ended write(At at, List<MachineTaint> taints, String manager, Patch patch) {
        Optional<Duration> hold = limiter.hold(at.id(), taints);
        if (hold.isPresent()) {
            return new Ended.HeldBack(hold.get(), UNDONE);
        }
        if (!writes) {
            meter("observed").increment();
            log(at, taints, manager, "observed, not written");
            return new Ended.InEffect();
        }
        try {
            String version = Replies.metadata(server.patch(at.resource, at.found.key(), patch)).resourceVersion();
            meter("written").increment();
            limiter.count(at.id(), taints);
            log(at, taints, manager, "carried");
            awaitSeen(at, version);
        } catch (ApiFailure.Conflict conflict) {
            meter("conflict").increment();
            return newer(at, conflict);
        } catch (ApiFailure.NotFound gone) {
            log(at, taints, manager, "the object is gone");
        } catch (ApiFailure.Rejected | ApiFailure.Forbidden refused) {
            meter("rejected").increment();
            throw refused;
        } catch (IOException e) {
            LOG.warn("the answer to a patch is no JSON object"); // the watch will tell what became of it
        }
        return new Ended.InEffect();
    }

    /** How long until what was repaired has lasted for a minute; empty if it has, or nothing was held back. */
    public Optional<Duration> restless(At at) {
        return limiter.restless(at.id());
    }

    private void awaitSeen(At at, String version) {
        Optional<TaintBearer> seen = Optional.of(at.found);
        for (int events = 0; events < 10 && seen.isPresent() && isOlder(seen.get(), version); events++) {
            at.cache.awaitChange(seen.get(), WATCH_DELAY);
            seen = at.cache.get(at.found.key());
        }
    }

    private static boolean isOlder(TaintBearer seen, String version) {
        return ResourceVersions.isOlder(seen.metadata().resourceVersion(), version);
    }

    private static Ended newer(At at, ApiFailure.Conflict conflict) {
        at.cache.awaitChange(at.found, WATCH_DELAY);
        Optional<TaintBearer> now = at.cache.get(at.found.key());
        if (now.isPresent()
                && now.get().metadata().resourceVersion().equals(at.found.metadata().resourceVersion())) {
            throw conflict;
        }
        return new Ended.Outdated();
    }

    private static void log(At at, List<MachineTaint> taints, String manager, String done) {
        LOG.atInfo()
                .addKeyValue(at.kind, at.found.key())
                .addKeyValue("manager", manager)
                .addKeyValue("taints", taints)
                .log(done);
    }

    private Counter meter(String result) {
        return Counter.builder("nodeward.declared.taints.writes").tag("result", result)
                .description("Writes of taints declared for others by what became of them").register(registry);
    }
}
