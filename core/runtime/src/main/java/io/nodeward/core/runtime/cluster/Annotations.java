package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Bodies;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.util.Map;
import java.util.Optional;

/**
 * The way to change annotations of objects in the management cluster: one request each, which holds only on the version
 * that was planned from.
 */
public final class Annotations {
    private final ApiServer server;
    private final boolean writes;

    /** @param writes false: nothing is sent */
    public Annotations(ApiServer server, boolean writes) {
        this.server = server;
        this.writes = writes;
    }

    /**
     * Applies these and no others: what this manager applied before and is not among them goes, unless it is somebody
     * else's too. Values of others are taken over.
     *
     * @return the object's metadata after it, as JSON; empty while nothing is written
     * @throws ApiFailure.Conflict if the object has changed
     */
    public Optional<byte[]> apply(Target target, Map<String, String> annotations, String fieldManager) {
        return send(target, Patch.apply(Bodies.annotations(target.regarding(), annotations), fieldManager, true));
    }

    /**
     * Sets some and removes others, whoever they belong to, by merge patch: what somebody else manages too cannot be
     * removed by applying the rest.
     *
     * @return the object's metadata after it, as JSON; empty while nothing is written
     * @throws ApiFailure.Conflict if the object has changed
     */
    public Optional<byte[]> change(Target target, Map<String, Optional<String>> changes, String fieldManager) {
        byte[] body = Bodies.annotationsPatch(target.regarding().resourceVersion(), changes);
        return send(target, Patch.merge(body, fieldManager));
    }

    private Optional<byte[]> send(Target target, Patch patch) {
        return writes
                ? Optional.of(server.patch(target.resource(), target.regarding().key(), patch))
                : Optional.empty();
    }
}
