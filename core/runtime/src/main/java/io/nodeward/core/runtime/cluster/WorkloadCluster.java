package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A connected workload cluster: its Nodes as last seen, and the one way to change them. */
public final class WorkloadCluster implements AutoCloseable {
    private static final Index<Node> BY_PROVIDER_ID = new Index<>("providerID", Node::providerId);
    /** How long a conflicting write of somebody else takes to come through the watch, at most; then the Node is read. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private final ObjectKey key;
    private final String kubeconfig;
    private final ApiServer server;
    private final boolean observe;
    private final NodeMeters meters;
    private final ObjectCache<Node> nodes = new ObjectCache<>(BY_PROVIDER_ID);
    private final Reflector<Node> reflector;

    WorkloadCluster(
            ObjectKey key,
            String kubeconfig,
            ApiServer server,
            boolean observe,
            NodeMeters meters,
            Timers timers,
            Consumer<ApiFailure> failed) {
        this.key = key;
        this.kubeconfig = kubeconfig;
        this.server = server;
        this.observe = observe;
        this.meters = meters;
        this.reflector = new Reflector<>(
                new Source<>("nodes of " + key, server, Resources.NODES, "", false, Projection.NODE),
                nodes,
                ReflectorSettings.DEFAULT,
                timers,
                failed);
    }

    public ObjectKey key() {
        return key;
    }

    boolean connectedBy(String otherKubeconfig) {
        return kubeconfig.equals(otherKubeconfig);
    }

    void start() {
        reflector.start();
    }

    /** Whether all Nodes have been seen once; before that, absence means nothing. */
    public boolean synced() {
        return nodes.synced();
    }

    ObjectCache<Node> nodes() {
        return nodes;
    }

    public Optional<Node> node(String name) {
        return nodes.get(ObjectKey.clusterScoped(name));
    }

    /** More than one is a fault of the cluster, and the caller's to report. */
    public List<Node> nodesByProviderId(String providerId) {
        return nodes.find(BY_PROVIDER_ID, providerId);
    }

    /**
     * Makes the change in one request that holds only on {@code before}. On a conflict it waits for the newer Node to come
     * through the watch, which costs no request.
     *
     * @throws ApiFailure for anything but a conflict or a missing Node
     */
    public Applied apply(Node before, NodeChange change, String fieldManager) {
        if (observe) {
            meters.observed.increment();
            return new Applied.Observed();
        }
        try {
            byte[] reply = server.patch(
                    Resources.NODES, before.key(), Patch.merge(Bodies.mergePatch(change), fieldManager));
            meters.written.increment();
            String version = Replies.metadata(reply).resourceVersion();
            if (version.isEmpty()) { // from such a Node the next write would hold on anything
                throw new IOException("without resourceVersion");
            }
            Node after = change.applyTo(before, version);
            nodes.wrote(before, after);
            return new Applied.Written(after);
        } catch (ApiFailure.Conflict conflict) {
            meters.conflicts.increment();
            return new Applied.Stale(newerThan(before), conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Stale(Optional.empty(), gone);
        } catch (ApiFailure.Rejected rejected) {
            meters.rejected.increment();
            throw rejected;
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Node " + before.key(), "the reply is no JSON of an object", e);
        }
    }

    private Optional<Node> newerThan(Node before) {
        try {
            Optional<Node> held = nodes.awaitOther(before, WATCH_DELAY);
            String version = before.metadata().resourceVersion();
            if (held.isEmpty() || !held.get().metadata().resourceVersion().equals(version)) {
                return held;
            }
            Node read = Projection.NODE.read(server.get(Resources.NODES, before.key()));
            nodes.refresh(read);
            return nodes.get(read.key());
        } catch (ApiFailure.NotFound gone) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(before);
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Node " + before.key(), "the reply is no JSON object", e);
        }
    }

    @Override
    public void close() {
        reflector.close();
        server.close();
    }
}
