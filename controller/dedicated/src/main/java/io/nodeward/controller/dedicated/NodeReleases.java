package io.nodeward.controller.dedicated;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.Releases;
import io.nodeward.core.rules.dedicated.Resolution;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The order in which Nodes that groups give up lose their taint: one after the other, if they are many. */
final class NodeReleases {
    private static final Logger LOG = LoggerFactory.getLogger(NodeReleases.class);
    /** The time to put back an edit that was a mistake. */
    private static final Duration FIRST = Duration.ofMinutes(1);
    /** A Node that waits for an answer that the state did not give in time, as while the fold of an object fails. */
    static final Result.RequeueAfter UNKNOWN =
            new Result.RequeueAfter(Duration.ofSeconds(1), "what its groups amount to, which is not known");

    private final DedicatedScope scope;
    private final Pacer<ObjectKey> pacer;
    private final int perMinute;

    /** @param perMinute how many Nodes of one group lose its taint per minute */
    NodeReleases(DedicatedScope scope, Pacer<ObjectKey> pacer, int perMinute, MeterRegistry registry) {
        this.scope = scope;
        this.pacer = pacer;
        this.perMinute = perMinute;
        Gauge.builder("nodeward.dedicated.release.waiting", pacer, Pacer::waiting)
                .description("Nodes that wait for their turn to lose the taint of a DedicatedNodes that gives them up")
                .register(registry);
    }

    /**
     * The share that a Node has of its groups now.
     *
     * @param again when the Node may lose more of them; empty if it need not wait
     */
    record Turn(Releases.Share share, Optional<Result.RequeueAfter> again) {}

    Turn turn(Node node) {
        start();
        boolean mayGiveUp = scope.releases(state -> state.mayGiveUp(node));
        Optional<Resolution> compared = mayGiveUp ? scope.resolution(node.key()) : Optional.empty();
        Releases.Release release = scope.releases(state -> state.of(node, compared));
        if (mayGiveUp && compared.isEmpty()) {
            return new Turn(release.share(false), Optional.of(UNKNOWN)); // and it keeps its place among those that wait
        }
        List<Pacer.Limit> limits = release.by().stream()
                .map(group -> Pacer.Limit.perMinute(group, perMinute).startingAfter(FIRST)).toList();
        if (limits.isEmpty()) {
            pacer.release(node.key());
        }
        Duration left = limits.isEmpty() ? Duration.ZERO : pacer.left(node.key(), limits);
        return new Turn(release.share(left.isZero()), Optional.of(left).filter(Duration::isPositive)
                .map(wait -> new Result.RequeueAfter(wait, "the limit of Nodes that groups give up")));
    }

    /** Begins with the first Node that is reconciled, which comes when all caches have been filled. */
    private void start() {
        if (!scope.releases(Releases::isStarted)) {
            scope.releases(Releases::start).nodes().forEach((taint, nodes) -> LOG.warn(
                    "{} Nodes have the taint {} of DedicatedNodes that do not exist or do not select them any more, and"
                            + " lose it one after the other; to stop this, create these again, or run: nodeward pause",
                    nodes.size(), taint));
        }
    }

    /** Forgets the turn of a Node that is gone. */
    void forget(ObjectKey node) {
        pacer.release(node);
        scope.change(state -> state.forget(node));
    }

    /** Forgets the pace of a group that gives up no Nodes: with the next edit the first Node waits again. */
    void ended(String group) {
        pacer.forget(group);
    }
}
