package io.nodeward.core.runtime.leader;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.Trees;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** Reads and writes one Lease. The precondition of a write is the version that was read or written last. Not thread-safe. */
final class LeaseLock {
    private static final Resource LEASES = Resources.namespaced("coordination.k8s.io", "v1", "leases");
    private static final String FIELD_MANAGER = "nodeward-leader-election";

    private final ApiServer server;
    private final ObjectKey key;
    /** The metadata that was read or written last; empty if the Lease was absent. */
    private Optional<Metadata> version = Optional.empty();

    LeaseLock(ApiServer server, ObjectKey key) {
        this.server = server;
        this.key = key;
    }

    /** Returns the record; empty if the Lease does not exist. */
    Optional<LeaseRecord> get() {
        try {
            byte[] lease = server.get(LEASES, key);
            version = Optional.of(Replies.metadata(lease));
            return Optional.of(LeaseRecord.of(Trees.read(lease).at("spec")));
        } catch (ApiFailure.NotFound absent) {
            version = Optional.empty();
            return Optional.empty();
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    /**
     * Creates the Lease, or changes it if it existed.
     *
     * @throws ApiFailure.Conflict if it is another version or another object by now
     * @throws ApiFailure.AlreadyExists if it was absent and exists by now
     */
    void write(LeaseRecord record) {
        byte[] reply = version.map(held -> patch(held, record)).orElseGet(() -> create(record));
        try {
            version = Optional.of(Replies.metadata(reply));
        } catch (IOException e) {
            throw unreadable(e);
        }
    }

    private byte[] patch(Metadata held, LeaseRecord record) {
        Tree patch = Tree.of(Map.of("spec", record.spec(),
                "metadata", Map.of("uid", held.uid(), "resourceVersion", held.resourceVersion())));
        return server.patch(LEASES, key, Patch.merge(Trees.written(patch), FIELD_MANAGER));
    }

    private byte[] create(LeaseRecord record) {
        Tree lease = Tree.of(Map.of("apiVersion", LEASES.apiVersion(), "kind", "Lease", "spec", record.spec(),
                "metadata", Map.of("namespace", key.namespace(), "name", key.name())));
        return server.create(LEASES, key.namespace(), Trees.written(lease), FIELD_MANAGER);
    }

    private ApiFailure unreadable(IOException e) {
        return ApiFailure.unreachable("Lease " + key, "the reply is no JSON object", e);
    }
}
