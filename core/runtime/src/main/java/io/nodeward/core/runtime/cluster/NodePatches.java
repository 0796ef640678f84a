package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Sends changes of one cluster's Nodes, and keeps what became of them. */
final class NodePatches {
    /** How long a conflicting write of somebody else takes to come through the watch, at most; then the Node is read. */
    private static final Duration WATCH_DELAY = Duration.ofSeconds(2);

    private final ApiServer server;
    private final ObjectCache<Node> nodes;
    private final NodeState state;
    private final NodeMeters meters;

    NodePatches(ApiServer server, ObjectCache<Node> nodes, NodeState state, NodeMeters meters) {
        this.server = server;
        this.nodes = nodes;
        this.state = state;
        this.meters = meters;
    }

    /** See {@link WorkloadCluster#apply}. */
    Applied send(Node before, NodeChange change, String fieldManager, boolean again) {
        // What was refused may be a test that says no for another reason than we think: a resourceVersion is certain.
        Optional<byte[]> tested = again ? Optional.empty() : TestedPatch.of(before, change);
        Patch patch = tested.map(body -> Patch.json(body, fieldManager))
                .orElseGet(() -> Patch.merge(Bodies.mergePatch(change), fieldManager));
        try {
            byte[] reply = server.patch(Resources.NODES, before.key(), patch);
            meters.written.increment();
            return new Applied.Written(written(before, change, Replies.metadata(reply)));
        } catch (ApiFailure.Conflict conflict) {
            meters.conflicts.increment();
            BiPredicate<Node, Node> same = tested.isPresent() ? Node::sameState : Node::sameVersion;
            return new Applied.Stale(newerThan(before, same), conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Stale(Optional.empty(), gone);
        } catch (ApiFailure.Rejected rejected) {
            meters.rejected.increment();
            throw rejected;
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Node " + before.key(), "the reply is no JSON of the Node", e);
        }
    }

    /** The reply says what others wrote since {@code before} as well; what it does not say could not have changed. */
    private Node written(Node before, NodeChange change, Metadata reply) throws IOException {
        String version = reply.resourceVersion();
        if (version.isEmpty()) { // from such a Node the next write would hold on anything
            throw new IOException("without resourceVersion");
        }
        if (!reply.key().equals(before.key()) || !reply.uid().equals(before.metadata().uid())) {
            throw new IOException("of another object");
        }
        Node after = new Node(reply, before.providerId(), change.taints().orElse(before.taints()));
        nodes.wrote(before, change.applyTo(before, version), after).ifPresent(held -> state.changed(held, after));
        return after;
    }

    /** @param same what would be refused as {@code before} was */
    private Optional<Node> newerThan(Node before, BiPredicate<Node, Node> same) {
        try {
            Optional<Node> held = nodes.awaitOther(before, same, WATCH_DELAY);
            if (held.isEmpty() || !same.test(held.get(), before)) {
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
}
