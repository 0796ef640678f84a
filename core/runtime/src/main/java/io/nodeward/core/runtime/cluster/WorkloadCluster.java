package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.cache.HeapBudget;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cluster.ClusterFailures.Cause;
import io.nodeward.core.runtime.controller.Applied;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectWriter;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.informer.Resources;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.spi.connect.RefusedAddressException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A connected workload cluster: its Nodes as last seen, and the one way to change them. */
public final class WorkloadCluster implements NodeView, AutoCloseable {
    private static final Index<Node> BY_PROVIDER_ID = Index.of("providerID", Node::providerId);
    private static final Blocked CREDENTIALS_REFUSED =
            new Blocked(Reason.CREDENTIALS_REFUSED, "the API server answers 401 Unauthorized");
    private static final Blocked UNREACHABLE = new Blocked(Reason.CLUSTER_UNREACHABLE,
            "the API server does not answer as it should; the log of Nodeward and nodeward_clusters_failures_total say why");
    private static final Blocked NOT_WATCHED = new Blocked(Reason.NODES_NOT_WATCHED,
            "the API server does not let Nodeward watch its Nodes; the log of Nodeward and"
                    + " nodeward_clusters_failures_total say why");

    private final ObjectKey key;
    private final RenewableTransport transport;
    private final ApiServer server;
    private final Health health;
    private final Runnable changed;
    private final ObjectCache<Node> nodes = new ObjectCache<>(BY_PROVIDER_ID);
    private final KeptState state;
    private final ChangeWriter writer;
    private final Informers informers;
    private final Informer<Node> nodeInformer;
    private volatile Optional<ApiFailure> unfollowed = Optional.empty();
    /** How often the watch of Nodes was answered 401 so far; counted before {@link #unfollowed} shows it. */
    private final AtomicInteger denials = new AtomicInteger();
    private final ClusterFailures failures;
    /** The cause of the failure that was logged last; empty if there was none since. */
    private volatile Optional<Cause> logged = Optional.empty();
    /** Interruptions before {@link #becameAvailable} was true last; -1 before the first time. */
    private int announcedAfter = -1;

    /**
     * Prepares it; nothing is sent yet.
     *
     * @param transport with its credentials
     * @param changed told when what {@link #available} or {@link #blocked} says may have changed; it must not block
     */
    WorkloadCluster(
            ObjectKey key,
            Transport transport,
            ConnectionFactory connections,
            HeapBudget budget,
            WriteMeters meters,
            Timers timers,
            Runnable changed) {
        ClusterSettings settings = connections.settings();
        this.key = key;
        this.transport = new RenewableTransport(transport);
        this.health =
                new Health(connections.probes(this.transport), timers, settings.probeEvery(), this::healthChanged);
        this.server = connections.workload(this.transport, health);
        this.changed = changed;
        this.failures = connections.failures();
        this.state = new KeptState(settings.largestState(), budget, key.toString(), this::exceeded);
        this.nodes.subscribe(state);
        this.writer = new ChangeWriter(server, meters, state, ChangeWriter.WATCH_DELAY);
        this.informers = new Informers(timers);
        this.nodeInformer = informers.informer(
                new ListWatch<>("nodes of " + key, server, Resources.NODES, "", false, Projection.NODE),
                nodes,
                new Following());
    }

    void start() {
        health.start();
        nodeInformer.start();
    }

    /** Whether a probe is running, or its result has not reached the listeners yet. */
    boolean probing() {
        return health.probing();
    }

    /** Whether all Nodes have been seen and the cluster can be written to, as far as is known. */
    boolean available() {
        return nodes.synced() && !tooLarge() && health.answers()
                && unfollowed.filter(ApiFailure.Unauthorized.class::isInstance).isEmpty();
    }

    /**
     * Whether it is available, and was interrupted since this last said so, however shortly. To be called by one thread
     * at a time.
     */
    boolean becameAvailable() {
        int interruptions = health.interruptions() + denials.get();
        if (!available() || interruptions == announcedAfter) {
            return false;
        }
        announcedAfter = interruptions;
        return true;
    }

    /** Returns what keeps it from being available; empty as well while that is not known yet. */
    Optional<Blocked> blocked() {
        if (state.tooLarge()) {
            return Optional.of(new Blocked(Reason.CLUSTER_TOO_LARGE,
                    "its Nodes take more memory than one cluster may, or a large part of a heap that is almost full"));
        }
        Optional<ApiFailure> failure = health.failing().or(() -> unfollowed);
        log(failure.map(Cause::of));
        return health.denied() ? Optional.of(CREDENTIALS_REFUSED) : failure.map(this::blockedBy);
    }

    // One message for each reason: any address may be asked, and what is at it is not for everybody who reads this.
    private Blocked blockedBy(ApiFailure failure) {
        if (failure.getCause() instanceof RefusedAddressException refused) {
            return new Blocked(Reason.KUBECONFIG_REFUSED,
                    "Secret " + KubeconfigSecrets.secretOf(key) + ": " + refused.getMessage());
        }
        return switch (failure) {
            case ApiFailure.Unauthorized f -> CREDENTIALS_REFUSED;
            case ApiFailure.Unreachable f -> UNREACHABLE;
            default -> NOT_WATCHED;
        };
    }

    private void log(Optional<Cause> cause) {
        if (!cause.equals(logged)) {
            logged = cause;
            cause.ifPresent(now -> failures.failed(key, now));
        }
    }

    boolean credentialsRefused() {
        return blocked().filter(CREDENTIALS_REFUSED::equals).isPresent();
    }

    boolean tooLarge() {
        return state.tooLarge();
    }

    /** Goes on with other credentials; watches that stand stay. */
    void renew(Transport newer) {
        transport.renew(newer);
        health.ask();
        nodeInformer.wake(); // what was waited out may work
    }

    // At once: what a server sends until somebody comes to close this has no limit.
    private void exceeded() {
        nodeInformer.halt();
        changed.run();
    }

    private void healthChanged() {
        if (health.failing().isEmpty() && !health.denied()) {
            nodeInformer.wake();
        }
        changed.run();
    }

    private final class Following implements ReflectorListener {
        @Override
        public void failed(ApiFailure failure) {
            if (!unfollowed.map(Cause::of).equals(Optional.of(Cause.of(failure)))) {
                if (failure instanceof ApiFailure.Unauthorized) {
                    denials.incrementAndGet(); // first: the end of it wakes who waits
                }
                unfollowed = Optional.of(failure);
                changed.run();
            }
        }

        @Override
        public void following() {
            if (unfollowed.isPresent()) {
                unfollowed = Optional.empty();
                changed.run();
            }
        }
    }

    ObjectCache<Node> nodes() {
        return nodes;
    }

    @Override
    public Optional<Node> node(String name) {
        return nodes.get(ObjectKey.clusterScoped(name));
    }

    @Override
    public List<Node> nodesByProviderId(String providerId) {
        return nodes.find(BY_PROVIDER_ID, providerId);
    }

    @Override
    public List<Node> nodesByProviderId(String providerId, int atMost) {
        return nodes.find(BY_PROVIDER_ID, providerId, atMost);
    }

    /** See {@link ObjectWriter#apply}. */
    Applied apply(ObjectChange change, String fieldManager, boolean again) {
        return writer.apply(change.verb() instanceof Verb.PatchNode patch ? change.with(patch.seenIn(nodes)) : change,
                fieldManager, again);
    }

    @Override
    public void close() {
        health.close();
        try {
            informers.close();
        } finally {
            state.release();
            server.close();
        }
    }
}
