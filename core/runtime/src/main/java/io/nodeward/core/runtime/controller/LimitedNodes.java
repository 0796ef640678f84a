package io.nodeward.core.runtime.controller;

import io.nodeward.api.node.NodeChange;
import java.time.Duration;
import java.util.Optional;

/**
 * A reconciler that decides as another does, within a {@link NoExecuteLimit}. It takes {@code NoExecute} out of a change that newly
 * brings it, until it is the Node's turn.
 *
 * @param <O> owners of Nodes
 * @param <K> what work is queued by, one for each Node
 */
public final class LimitedNodes<O, K> implements Reconciler<K> {
    private final Reconciler<K> reconciler;
    private final NoExecuteLimit<O, K> limit;
    private final Nodes<O, K> nodes;

    /** The facts about Nodes that the limit needs. */
    public interface Nodes<O, K> {
        O owner(K key);

        /** Returns for how many Nodes the owner confirms that they newly get the effect. */
        long confirmed(O owner);

        /** Returns the change without the effect that it newly brings; empty if it brings none. */
        Optional<NodeChange> without(K key, Verb.PatchNode patch);
    }

    public LimitedNodes(Reconciler<K> reconciler, NoExecuteLimit<O, K> limit, Nodes<O, K> nodes) {
        this.reconciler = reconciler;
        this.limit = limit;
        this.nodes = nodes;
    }

    @Override
    public Decision reconcile(K key) {
        Decision decision = reconciler.reconcile(key);
        switch (decision) {
            case Decision.Change change when change.change().verb() instanceof Verb.PatchNode patch -> {
                return limited(key, change, patch);
            }
            case Decision.Change change when !change.change().isEmpty() -> throw new IllegalArgumentException(
                    "no limit knows whether this brings NoExecute to a Node: " + change.change().verb());
            case Decision.Gone gone -> limit.forget(key);
            case Decision.Waiting waiting -> limit.unknown(key);
            default -> limit.blocked(key);
        }
        return decision;
    }

    private Decision limited(K key, Decision.Change decision, Verb.PatchNode patch) {
        O owner = nodes.owner(key);
        Optional<NodeChange> without = nodes.without(key, patch);
        if (without.isEmpty()) {
            limit.none(key, owner);
            return decision;
        }
        Duration left = limit.left(key, owner, nodes.confirmed(owner));
        return left.isZero() ? decision : decision.withhold(
                decision.change().with(
                        new Verb.PatchNode(patch.nodes(), patch.before(), without.get(), patch.plannedFrom())),
                new Result.RequeueAfter(left, "the limit of Nodes that newly get NoExecute"));
    }

    @Override
    public void executed(K key, Decision decision) {
        given(key, decision);
        reconciler.executed(key, decision);
    }

    @Override
    public void unanswered(K key, Decision.Change decision) {
        given(key, decision);
        reconciler.unanswered(key, decision);
    }

    private void given(K key, Decision decision) {
        if (decision instanceof Decision.Change change && change.change().verb() instanceof Verb.PatchNode patch
                && nodes.without(key, patch).isPresent()) {
            limit.given(key);
        }
    }
}
