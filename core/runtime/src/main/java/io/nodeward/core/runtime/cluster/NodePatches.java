package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Patch;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Sends changes of one cluster's Nodes, and keeps what became of them. */
final class NodePatches {
    private final ApiServer server;
    private final ObjectCache<Node> nodes;
    private final ChangeListener<Node> state;
    private final WriteMeters meters;
    private final List<String> plannedFrom;

    /**
     * Needs nothing but what is given.
     *
     * @param state hears of own writes, of which the cache tells no listener
     * @param plannedFrom annotations that decide the changes
     */
    NodePatches(
            ApiServer server,
            ObjectCache<Node> nodes,
            ChangeListener<Node> state,
            WriteMeters meters,
            List<String> plannedFrom) {
        this.server = server;
        this.nodes = nodes;
        this.state = state;
        this.meters = meters;
        this.plannedFrom = plannedFrom;
    }

    /** See {@link ObjectWriter#apply}. */
    Applied send(Node before, NodeChange change, String fieldManager, boolean again) {
        Optional<Node> held = nodes.get(before.key());
        // Another Node of that name has registered since the decision: the server would refuse what was meant for this one.
        if (held.isPresent() && !held.get().metadata().uid().equals(before.metadata().uid())) {
            return NewerVersion.held("PATCH of Node " + before.key(), "there is another Node of that name");
        }
        // What was refused may be a test that says no for another reason than we think: a resourceVersion is certain.
        Optional<byte[]> tested = again ? Optional.empty() : TestedPatch.of(before, change, plannedFrom);
        Patch patch = tested.map(body -> Patch.json(body, fieldManager))
                .orElseGet(() -> Patch.merge(Bodies.mergePatch(change), fieldManager));
        try {
            byte[] reply = meters.count(() -> server.patch(Resources.NODES, before.key(), patch));
            hold(before, change, Replies.metadata(reply));
            return new Applied.Written();
        } catch (ApiFailure.Conflict conflict) {
            return NewerVersion.await(nodes, before, tested.isPresent() ? Node::sameState : Node::sameVersion, conflict,
                    () -> read(before.key()));
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        } catch (IOException e) {
            throw ApiFailure.unreachable("PATCH of Node " + before.key(), "the reply is no JSON of the Node", e);
        }
    }

    /** The reply says what others wrote since {@code before} as well; what it does not say could not have changed. */
    private void hold(Node before, NodeChange change, Metadata reply) throws IOException {
        String version = reply.resourceVersion();
        if (version.isEmpty()) { // from such a Node the next write would hold on anything
            throw new IOException("without resourceVersion");
        }
        if (!reply.key().equals(before.key()) || !reply.uid().equals(before.metadata().uid())) {
            throw new IOException("of another object");
        }
        Node after = new Node(
                reply, before.providerId(), change.taints().orElse(before.taints()), before.created());
        nodes.recordOwnWrite(before, change.applyTo(before, version), after)
                .ifPresent(held -> state.changed(held, after));
    }

    private void read(ObjectKey key) {
        try {
            nodes.refresh(Projection.NODE.read(server.get(Resources.NODES, key)));
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Node " + key, "the reply is no JSON object", e);
        }
    }
}
