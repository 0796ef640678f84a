package io.nodeward.core.runtime.cluster;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.queue.Brake;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the Nodes of one room: at most one request for a plan, and none while somebody else keeps undoing them. Logs what
 * was written.
 *
 * @param <K> what the room queues work by
 * @param <D> what is declared for a Node, compared by value
 */
public final class NodeWriter<K, D> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeWriter.class);
    /** Plans made for one call while others keep changing the Node; then the key goes back to the queue. */
    private static final int TRIES = 20;
    /** Writes for one declaration in a minute; more only if somebody else keeps undoing them. */
    private static final int REPAIRS = 20;
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final Brake<K, D> brake = new Brake<>(REPAIRS, WINDOW);
    private final String fieldManager;

    public NodeWriter(String fieldManager) {
        this.fieldManager = fieldManager;
    }

    /** How a write ended. */
    public sealed interface Ended {
        /** The Node is as planned. */
        record InEffect(Optional<Applied> applied) implements Ended {}

        /**
         * Nothing was sent: what is declared has been undone too often.
         *
         * @param left how long to wait
         * @param by what to say of it
         */
        record HeldBack(Duration left, Blocked by) implements Ended {}

        /** The Node was not any more what the change was planned from; there is a newer one to plan from at once. */
        record Outdated() implements Ended {}
    }

    /**
     * Makes the change, if there is one.
     *
     * @param declared asked for if there is something to write
     * @param tries of which this is one, from 1
     * @throws ApiFailure for anything but a Node that has changed or is gone; for the former too after 20 tries
     */
    public Ended write(
            K key, Supplier<D> declared, WorkloadCluster workload, Node node, NodeChange change, int tries) {
        if (change.isEmpty()) {
            return new Ended.InEffect(Optional.empty());
        }
        Optional<Duration> hold = brake.hold(key, declared.get());
        if (hold.isPresent()) {
            return new Ended.HeldBack(hold.get(), undone(node));
        }
        Applied applied = workload.apply(node, change, fieldManager, tries > 1);
        if (applied instanceof Applied.Stale stale && stale.newer().isPresent()) {
            if (tries >= TRIES) {
                throw stale.failure();
            }
            return new Ended.Outdated();
        }
        if (applied instanceof Applied.Written) {
            brake.count(key, declared.get());
        }
        log(change, applied);
        return new Ended.InEffect(Optional.of(applied));
    }

    private static void log(NodeChange change, Applied applied) {
        String done = switch (applied) {
            case Applied.Written written -> "propagated";
            case Applied.Observed observed -> "observed, not written";
            case Applied.Stale stale -> "Node is gone";
        };
        LOG.atInfo()
                .addKeyValue("Node", change.node())
                .addKeyValue("taints", change.taints().isPresent())
                .addKeyValue("labels", change.labels().keySet())
                .addKeyValue("annotations", change.annotations().keySet())
                .log(done);
    }

    private static Blocked undone(Node node) {
        return new Blocked("RepairsUndone", "Node " + node.key() + ": somebody keeps undoing what is declared; after "
                + REPAIRS + " writes in a minute the next waits");
    }

    /** How long until what was repaired has lasted for a minute; empty if it has, or nothing was held back. */
    public Optional<Duration> restless(K key) {
        return brake.restless(key);
    }

    /** The key is gone, or another's. */
    public void forget(K key) {
        brake.forget(key);
    }
}
