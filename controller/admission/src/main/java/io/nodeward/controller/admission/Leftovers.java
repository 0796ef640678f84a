package io.nodeward.controller.admission;

import io.nodeward.api.json.ListPage;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.PartialObject;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.ListOptions;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this room has made, and nobody needs any more. Recognised by its labels: what does not bear them all stays. */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    private static final int PAGE = 500;

    private final ApiServer server;
    private final Own own;
    private final boolean writes;
    private final AtomicBoolean said = new AtomicBoolean();

    /** @param writes false: only log */
    Leftovers(ApiServer server, Own own, boolean writes) {
        this.server = server;
        this.own = own;
        this.writes = writes;
    }

    /**
     * Deletes all but these.
     *
     * @return how many there were
     */
    int remove(Map<Resource, Set<ObjectKey>> needed) {
        int found = 0;
        for (Resource resource : Own.ALL) {
            Set<ObjectKey> kept = needed.getOrDefault(resource, Set.of());
            List<ObjectKey> gone =
                    list(resource, needed.isEmpty()).stream().filter(key -> !kept.contains(key)).toList();
            gone.forEach(key -> delete(resource, key));
            found += gone.size();
        }
        return found;
    }

    /** @param all whether nothing of ours is needed any more, so that all that bears our labels may be deleted by hand */
    private List<ObjectKey> list(Resource resource, boolean all) {
        List<ObjectKey> keys = new ArrayList<>();
        ListOptions options = ListOptions.page(own.selector(), PAGE, "").withMetadataOnly();
        try (Answer answer = server.list(resource, "", options)) {
            ListPage.read(answer.body(), Projection.METADATA, (PartialObject object) -> {
                if (object.metadata().labels().entrySet().containsAll(own.labels().entrySet())) {
                    keys.add(object.key());
                }
            });
        } catch (ApiFailure.NotServed old) {
            LOG.debug("{} are not served here", resource.plural());
        } catch (ApiFailure.Forbidden forbidden) {
            if (all) {
                sayHow(forbidden);
            }
            LOG.debug("{} of ours that are left are not looked for: {}", resource.plural(), forbidden.getMessage());
        } catch (IOException e) {
            throw ApiFailure.unreachable("list of " + resource.plural(), "the answer was cut", e);
        }
        return keys;
    }

    /** A webhook that is left and says Fail would keep everybody from writing, and nothing else tells of it. */
    private void sayHow(ApiFailure.Forbidden forbidden) {
        if (!said.getAndSet(true)) {
            LOG.info(
                    "whether admission has left anything behind may not be asked ({}); if it was ever on: kubectl delete"
                            + " validatingwebhookconfigurations,validatingadmissionpolicies,validatingadmissionpolicybindings"
                            + " -l '{}'",
                    forbidden.getMessage(), own.selector());
        }
    }

    private void delete(Resource resource, ObjectKey key) {
        LOG.info("deleting {} {}, which nobody needs any more{}", resource.plural(), key, writes ? "" : " (observing)");
        if (!writes) {
            return;
        }
        try {
            server.delete(resource, key);
        } catch (ApiFailure.NotFound gone) {
            LOG.debug("{} {} is gone already", resource.plural(), key);
        } catch (ApiFailure.Forbidden forbidden) {
            LOG.warn("{}; delete it yourself", forbidden.getMessage());
        }
    }
}
