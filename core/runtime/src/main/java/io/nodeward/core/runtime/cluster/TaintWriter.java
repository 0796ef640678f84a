package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintsChange;
import io.nodeward.core.runtime.cache.ResourceVersions;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.TaintList;
import io.nodeward.core.runtime.controller.TaintListUpdate;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes lists of declared taints in the management cluster: each write holds on the resourceVersion it was planned from,
 * and is through when the cache has it, so that no plan is made from an older copy.
 */
public final class TaintWriter implements ObjectWriter.Of<TaintListUpdate> {
    private static final Logger LOG = LoggerFactory.getLogger(TaintWriter.class);

    private final ApiServer server;
    private final WriteMeters meters;

    public TaintWriter(ApiServer server, MeterRegistry registry) {
        this.server = server;
        this.meters = WriteMeters.ofTaintLists(registry);
    }

    /** @throws ApiFailure.Conflict if no newer object comes in time */
    @Override
    public Applied apply(TaintListUpdate update, String fieldManager, boolean again) {
        TaintList list = update.list();
        try {
            byte[] reply = meters.count(
                    () -> server.patch(list.kind().resource(), list.found().key(), patch(update)));
            awaitSeen(list, Replies.metadata(reply).resourceVersion());
        } catch (ApiFailure.Conflict conflict) {
            return NewerVersion.await(list.cache(), list.found(), conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
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
            list.cache().awaitChange(seen.get(), NewerVersion.WATCH_DELAY);
            seen = list.cache().get(list.found().key());
        }
    }

    private static boolean isOlder(TaintHolder seen, String version) {
        return ResourceVersions.isOlder(seen.metadata().resourceVersion(), version);
    }
}
