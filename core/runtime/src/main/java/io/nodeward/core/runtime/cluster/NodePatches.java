package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Bodies;
import io.nodeward.api.json.Projection;
import io.nodeward.api.json.Replies;
import io.nodeward.api.json.TestedPatch;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectWriter;
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
    private final KeptState<Node> state;
    private final WriteMeters meters;

    NodePatches(ApiServer server, ObjectCache<Node> nodes, KeptState<Node> state, WriteMeters meters) {
        this.server = server;
        this.nodes = nodes;
        this.state = state;
        this.meters = meters;
    }

    /** See {@link ObjectWriter#apply}. */
    Applied send(Node before, NodeChange change, String fieldManager, boolean again) {
        Optional<Node> held = nodes.get(before.key());
        // Another Node of that name has registered since the decision: the server would refuse what was meant for this one.
        if (held.isPresent() && !held.get().metadata().uid().equals(before.metadata().uid())) {
            return new Applied.Outdated(ApiFailure.of(
                    new Status(409, "Conflict", "there is another Node of that name", 0),
                    "PATCH of Node " + before.key(),
                    Optional.empty()));
        }
        // What was refused may be a test that says no for another reason than we think: a resourceVersion is certain.
        Optional<byte[]> tested = again ? Optional.empty() : TestedPatch.of(before, change);
        Patch patch = tested.map(body -> Patch.json(body, fieldManager))
                .orElseGet(() -> Patch.merge(Bodies.mergePatch(change), fieldManager));
        try {
            byte[] reply = server.patch(Resources.NODES, before.key(), patch);
            meters.written.increment();
            hold(before, change, Replies.metadata(reply));
            return new Applied.Written();
        } catch (ApiFailure.Conflict conflict) {
            meters.conflicts.increment();
            return outdated(before, tested.isPresent() ? Node::sameState : Node::sameVersion, conflict);
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        } catch (ApiFailure.Rejected rejected) {
            meters.rejected.increment();
            throw rejected;
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
        Node after = new Node(reply, before.providerId(), change.taints().orElse(before.taints()));
        nodes.recordOwnWrite(before, change.applyTo(before, version), after)
                .ifPresent(held -> state.changed(held, after));
    }

    /** @param same what would be refused as {@code before} was */
    private Applied outdated(Node before, BiPredicate<Node, Node> same, ApiFailure.Conflict conflict) {
        try {
            Optional<Node> held = nodes.awaitOther(before, same, WATCH_DELAY);
            if (held.isPresent() && same.test(held.get(), before)) {
                nodes.refresh(Projection.NODE.read(server.get(Resources.NODES, before.key())));
                held = nodes.get(before.key());
            }
            return held.isPresent() ? new Applied.Outdated(conflict) : new Applied.Gone();
        } catch (ApiFailure.NotFound gone) {
            return new Applied.Gone();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Applied.Outdated(conflict);
        } catch (IOException e) {
            throw ApiFailure.unreachable("GET of Node " + before.key(), "the reply is no JSON object", e);
        }
    }
}
