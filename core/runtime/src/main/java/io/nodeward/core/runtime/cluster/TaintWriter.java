package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintsChange;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.TaintList;
import io.nodeward.core.runtime.controller.TaintListUpdate;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lists of declared taints in the management cluster: each write holds on the resourceVersion it was planned from,
 * and is through when the cache has it, so that no plan is made from an older copy.
 */
public final class TaintWriter implements ObjectWriter {
    private static final Logger LOG = LoggerFactory.getLogger(TaintWriter.class);
    /** How long a write takes to come through the watch, at most. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private final ApiServer server;
    private final boolean writes;
    private final MeterRegistry registry;

    /** @param writes false: nothing is sent */
    public TaintWriter(ApiServer server, boolean writes, MeterRegistry registry) {
        this.server = server;
        this.writes = writes;
        this.registry = registry;
        List.of("written", "conflict", "rejected", "dry_run").forEach(this::meter);
    }

    /** @throws ApiFailure.Conflict if no newer object comes in time */
    @Override
    public Applied apply(ObjectChange change, String fieldManager, boolean again) {
        if (!(change instanceof TaintListUpdate update)) {
            throw new IllegalArgumentException("no change of declared taints: " + change.kind() + " " + change.name());
        }
        return apply(update);
    }

    private Applied apply(TaintListUpdate update) {
        TaintList list = update.list();
        if (!writes) {
            meter("dry_run").increment();
            return new Applied.DryRun();
        }
        try {
            byte[] reply = server.patch(list.resource(), list.found().key(), patch(update));
            meter("written").increment();
            awaitSeen(list, Replies.metadata(reply).resourceVersion());
        } catch (ApiFailure.Conflict conflict) {
            meter("conflict").increment();
            return outdated(list, conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        } catch (ApiFailure.Rejected | ApiFailure.Forbidden refused) {
            meter("rejected").increment();
            throw refused;
        } catch (IOException e) {
            LOG.warn("the answer to a patch is no JSON object"); // the watch will tell what became of it
        }
        return new Applied.Written();
    }

    private static Patch patch(TaintListUpdate update) {
        TaintsChange change = update.list().change(update.taints());
        return switch (update.method()) {
            case APPLY -> Patch.apply(Bodies.apply(change), update.manager(), false);
            case APPLY_FORCED -> Patch.apply(Bodies.apply(change), update.manager(), true);
            case REPLACE -> Patch.merge(Bodies.mergePatch(change), update.manager());
            case NONE -> throw new IllegalArgumentException("nothing to write to " + update.name());
        };
    }

    private static void awaitSeen(TaintList list, String version) {
        Optional<TaintHolder> seen = Optional.of(list.found());
        for (int events = 0; events < 10 && seen.isPresent() && isOlder(seen.get(), version); events++) {
            list.cache().awaitChange(seen.get(), WATCH_DELAY);
            seen = list.cache().get(list.found().key());
        }
    }

    private static boolean isOlder(TaintHolder seen, String version) {
        return ResourceVersions.isOlder(seen.metadata().resourceVersion(), version);
    }

    private static Applied outdated(TaintList list, ApiFailure.Conflict conflict) {
        list.cache().awaitChange(list.found(), WATCH_DELAY);
        Optional<TaintHolder> now = list.cache().get(list.found().key());
        if (now.isPresent() && now.get().sameVersion(list.found())) {
            throw conflict;
        }
        return new Applied.Outdated(conflict);
    }

    private Counter meter(String result) {
        return Counter.builder("nodeward.declared.taints.writes").tag("result", result)
                .description("Writes of taints declared for others by what became of them").register(registry);
    }
}
